import { shapeFeatureCount } from './features/shape-features.ts'
import { fromLanes, lanesPerFloat } from './lanes.ts'
import { addLine } from './lines.ts'
import { subjectDimensions, worthNear } from './subjects.ts'
import type { Weights } from './weights.ts'

/** The n-grams of a prompt that have weights. */
export interface FoundGrams {
  /** Without duplicates; only the first `count` belong to this prompt. */
  places: Uint16Array
  count: number
  /** The factor for each (`gramValue`). */
  value: number
}

const laneCount = subjectDimensions / lanesPerFloat

/** Returns a strong model's worth at a prompt's position among the subjects. Reuses its arrays. */
export function createSubjectReader({
  header,
  positionGrams,
  positionShape,
  subjects,
}: Weights): (found: FoundGrams, shapeFigures: Float32Array) => number {
  const position = new Float64Array(subjectDimensions)
  const lanes = new Float64Array(laneCount)
  return ({ places, count, value }, shapeFigures) => {
    lanes.fill(0)
    for (let index = 0; index < count; index++) {
      const at = places[index]! * laneCount
      for (let lane = 0; lane < laneCount; lane++) lanes[lane]! += positionGrams[at + lane]!
    }
    fromLanes(lanes, position)
    for (let dimension = 0; dimension < subjectDimensions; dimension++)
      position[dimension]! *= header.positionGramScales[dimension]! * value
    for (let feature = 0; feature < shapeFeatureCount; feature++) {
      const figure = shapeFigures[feature]!
      if (figure !== 0) addLine(position, positionShape, feature, figure)
    }
    // The bias follows the last feature.
    addLine(position, positionShape, shapeFeatureCount, 1)
    return worthNear(position, subjects)
  }
}
