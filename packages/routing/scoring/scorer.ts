import { readPrompt, type PromptFeatures } from './features/read-prompt.ts'
import { shapeFeatureCount, shapeFeatures } from './features/shape-features.ts'
import { gramValue } from './gate.ts'
import { headCount, overComplex, overMedium, overSimple, simpleSucceeds } from './heads.ts'
import { addLine } from './lines.ts'
import { profileDeltas, type TierProbabilities } from './profiles.ts'
import { tierFor, type PromptScore } from './prompt-score.ts'
import { familiarShareOf, rankingOf } from './ranking.ts'
import { reasonsOf } from './reasons.ts'
import { createSubjectReader, type FoundGrams } from './subject-reader.ts'
import { placeOf } from './vocabulary.ts'
import type { Weights } from './weights.ts'

/** Below this share of known words the scorer is not confident. */
const minKnown = 0.2

/** How steeply the score rises around the usual ranking. */
const scoreSlope = 12

/** No model is certain to succeed, or to fail. */
const least = 0.01
const most = 0.99

/** Creates a scorer with these weights. It reuses its arrays, so a call allocates almost nothing. */
export function createScorer(weights: Weights): (text: string) => PromptScore {
  const { fingerprints, grams, shape } = weights
  const { gramScales } = weights.header
  const subjectWorthOf = createSubjectReader(weights)
  const figures = new Float32Array(shapeFeatureCount)
  const sums = new Float64Array(headCount)
  const seen = new Uint32Array(fingerprints.length)
  const found: FoundGrams = { places: new Uint16Array(fingerprints.length), count: 0, value: 0 }
  let reading = 0

  /** Sums the weights of the known n-grams, each once, and returns the share of known words. */
  function addGrams(features: PromptFeatures): number {
    reading = (reading + 1) >>> 0
    // Read from the object once, not for each n-gram.
    const { grams: hashes, wholeWords, gramCount } = features
    const { places } = found
    const now = reading
    let count = 0
    let words = 0
    let knownWords = 0
    for (let index = 0; index < gramCount; index++) {
      const place = placeOf(hashes[index]!, fingerprints)
      words += wholeWords[index]!
      if (place === -1) continue
      knownWords += wholeWords[index]!
      if (seen[place] === now) continue
      seen[place] = now
      places[count++] = place
      const at = place * headCount
      for (let head = 0; head < headCount; head++) sums[head]! += grams[at + head]!
    }
    const known = words === 0 ? 0 : knownWords / words
    found.count = count
    found.value = gramValue(count, known)
    for (let head = 0; head < headCount; head++) sums[head]! *= gramScales[head]! * found.value
    return known
  }

  function addShape(features: PromptFeatures): void {
    shapeFeatures(features.shape, figures)
    for (let feature = 0; feature < shapeFeatureCount; feature++) {
      const figure = figures[feature]!
      if (figure !== 0) addLine(sums, shape, feature, figure)
    }
    // The bias follows the last feature.
    addLine(sums, shape, shapeFeatureCount, 1)
  }

  return (text) => {
    sums.fill(0)
    const features = readPrompt(text)
    const known = addGrams(features)
    addShape(features)
    const { length, options } = features.shape
    const familiarShare = familiarShareOf(sums, options)
    // If many words are known this is a tenth of the work, and it only counts for familiar prompts.
    const subjectWorth = familiarShare === 0 ? 0 : subjectWorthOf(found, figures)
    const ranking = rankingOf(sums, length, familiarShare, subjectWorth)
    const score: PromptScore = {
      tier: 'MEDIUM',
      score: 1 / (1 + Math.exp(-scoreSlope * ranking)),
      probabilities: probabilitiesOf(sums),
      confident: known >= minKnown,
      known,
      reasons: () => reasonsOf(text, weights),
    }
    score.tier = tierFor(score, profileDeltas.auto)
    return score
  }
}

/** Anchored at the best tier, so that the distances between tiers, which decide, stay as learned. */
function probabilitiesOf(sums: Float64Array): TierProbabilities {
  const reasoning = Math.max(0, sums[overComplex]!)
  const medium = reasoning + Math.max(0, sums[overMedium]!)
  const simple = Math.max(medium, reasoning + sums[overSimple]!)
  const expected = sums[simpleSucceeds]! + simple
  const best = Math.min(most, Math.max(expected, simple + least))
  return {
    SIMPLE: Math.max(least, best - simple),
    MEDIUM: Math.max(least, best - medium),
    COMPLEX: Math.max(least, best - reasoning),
    REASONING: best,
  }
}
