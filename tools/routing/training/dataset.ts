import { readPrompt } from '@turnpike/routing/scoring/features/read-prompt'
import { shapeFeatureCount, shapeFeatures } from '@turnpike/routing/scoring/features/shape-features'
import type { Row } from './rows.ts'

/** N-grams that occur in fewer prompts are noise. */
const minPrompts = 3

/** The rows as numbers. A row's n-grams are at `starts[row]` to `starts[row + 1]`, each once. */
export interface Dataset {
  rows: readonly Row[]
  starts: Int32Array
  /** Index into `hashes`. */
  grams: Int32Array
  /** 1 if the n-gram is a whole word. */
  wholeWords: Uint8Array
  /** Number of whole words in each row, including those that occur in too few prompts to have an index. */
  wordCounts: Int32Array
  shapes: Float32Array
  /** As in `PromptShape`. */
  lengths: Float32Array
  hashes: Uint32Array
}

export function datasetOf(rows: readonly Row[]): Dataset {
  const counts = new Map<number, number>()
  const read = rows.map(({ prompt }) => {
    const features = readPrompt(prompt)
    const whole = new Map<number, number>()
    for (let index = 0; index < features.gramCount; index++) {
      const hash = features.grams[index]!
      if (!whole.has(hash)) counts.set(hash, (counts.get(hash) ?? 0) + 1)
      whole.set(hash, features.wholeWords[index]!)
    }
    const shape = new Float32Array(shapeFeatureCount)
    shapeFeatures(features.shape, shape)
    const { length } = features.shape
    return { hashes: Uint32Array.from(whole.keys()), whole: Uint8Array.from(whole.values()), shape, length }
  })
  const kept = [...counts].filter(([, count]) => count >= minPrompts).map(([hash]) => hash)
  const indexes = new Map(kept.map((hash, index) => [hash, index]))
  const starts = new Int32Array(rows.length + 1)
  const wordCounts = new Int32Array(rows.length)
  const shapes = new Float32Array(rows.length * shapeFeatureCount)
  const grams: number[] = []
  const wholeWords: number[] = []
  for (const [row, { hashes, whole, shape }] of read.entries()) {
    shapes.set(shape, row * shapeFeatureCount)
    for (const [at, hash] of hashes.entries()) {
      wordCounts[row]! += whole[at]!
      const index = indexes.get(hash)
      if (index === undefined) continue
      grams.push(index)
      wholeWords.push(whole[at]!)
    }
    starts[row + 1] = grams.length
  }
  return {
    rows,
    starts,
    grams: Int32Array.from(grams),
    wholeWords: Uint8Array.from(wholeWords),
    wordCounts,
    shapes,
    lengths: Float32Array.from(read, ({ length }) => length),
    hashes: Uint32Array.from(kept),
  }
}
