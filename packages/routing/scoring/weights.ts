import { shapeFeatureCount } from './features/shape-features.ts'
import { unpackHalves } from './half-bytes.ts'
import { headCount } from './heads.ts'
import { intoLanes } from './lanes.ts'
import { subjectDimensions, type Subjects } from './subjects.ts'
import { placesPerSet } from './vocabulary.ts'

/**
 * The weights file: four bytes with the header's length, the header as JSON, fingerprints (16 bits), n-gram
 * weights (8 bits, by place and head) and shape weights (16 bits, by feature and head, the bias last). Then
 * for subjects, by dimension: how n-grams move a prompt's position (4 bits, by place), how its shape does (8
 * bits, by feature, the bias last), and the subjects' points (8 bits).
 */

/** Incremented if older weights cannot be read, or mean something else. */
export const weightsVersion = 4

export interface WeightsHeader {
  version: number
  /** SHA-256 of the weights' inputs: rows, synthetic prompts, options and seed. */
  trainingRun: string
  /** SHA-256 of everything after the header. */
  content: string
  rows: number
  sets: number
  heads: number
  shapeFeatures: number
  /** The value of a weight of 1, by head. */
  gramScales: number[]
  shapeScales: number[]
  /** By dimension. */
  positionGramScales: number[]
  positionShapeScales: number[]
  /** As in `Subjects`. */
  subjectWorths: number[]
}

/** The integer for a point's coordinate of 1. */
export const pointSteps = 127

export interface Weights {
  header: WeightsHeader
  fingerprints: Uint16Array
  /** `[place * headCount + head]`, to be multiplied by `gramScales[head]`. */
  grams: Int8Array
  /** `[feature * headCount + head]`, already scaled. */
  shape: Float32Array
  /** How n-grams move a position, by place and dimension (`lanes.ts`), times `positionGramScales`. */
  positionGrams: Float64Array
  /** How the shape moves a position: `[feature * subjectDimensions + dimension]`, already scaled. */
  positionShape: Float32Array
  subjects: Subjects
}

/** Throws if the bytes are not weights of this version. */
export function decodeWeights(file: Uint8Array): Weights {
  // A Buffer's slices would share its memory, where 16-bit typed arrays cannot start at any offset.
  const bytes = new Uint8Array(file)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = 4 + view.getUint32(0, true)
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start))) as WeightsHeader
  const { version, heads, shapeFeatures, sets } = header
  const isOurs = heads === headCount && shapeFeatures === shapeFeatureCount
  if (version !== weightsVersion || !isOurs || header.positionGramScales.length !== subjectDimensions)
    throw new Error(`weights of version ${version} do not fit this scorer: train again`)
  let at = start
  const take = (length: number): Uint8Array<ArrayBuffer> => bytes.slice(at, (at += length))
  const places = sets * placesPerSet
  const shapeLines = shapeFeatures + 1
  const fingerprints = new Uint16Array(take(places * 2).buffer)
  const grams = new Int8Array(take(places * headCount).buffer)
  const shape = new Int16Array(take(shapeLines * headCount * 2).buffer)
  const positionGrams = unpackHalves(take((places * subjectDimensions) / 2))
  const positionShape = new Int8Array(take(shapeLines * subjectDimensions).buffer)
  const points = new Int8Array(take(header.subjectWorths.length * subjectDimensions).buffer)
  return {
    header,
    fingerprints,
    grams,
    shape: scaleSteps(shape, header.shapeScales),
    positionGrams: intoLanes(positionGrams),
    positionShape: scaleSteps(positionShape, header.positionShapeScales),
    subjects: {
      points: Float32Array.from(points, (steps) => steps / pointSteps),
      worths: Float32Array.from(header.subjectWorths),
    },
  }
}

function scaleSteps(steps: Int8Array | Int16Array, scales: readonly number[]): Float32Array {
  return Float32Array.from(steps, (value, at) => value * scales[at % scales.length]!)
}

/** Everything after the header. The same numbers give the same bytes. */
export function contentBytes(
  parts: readonly (Uint16Array | Int16Array | Int8Array | Uint8Array)[],
): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const { buffer, byteOffset, byteLength } of parts) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += byteLength
  }
  return bytes
}

export function encodeWeights(header: WeightsHeader, content: Uint8Array): Uint8Array {
  const json = JSON.stringify(header)
  // Padded with spaces, which JSON ignores.
  const text = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 8) * 8 + 4))
  const bytes = new Uint8Array(4 + text.length + content.length)
  new DataView(bytes.buffer).setUint32(0, text.length, true)
  bytes.set(text, 4)
  bytes.set(content, 4 + text.length)
  return bytes
}
