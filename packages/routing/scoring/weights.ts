import { shapeFeatureCount } from './features/shape-features.ts'
import { headCount } from './heads.ts'
import { placesPerSet } from './vocabulary.ts'

/* The file of weights: four bytes with the length of the header, the header as JSON, fingerprints (16
   bits), n-gram weights (8 bits, by place and head) and shape weights (16 bits, by feature and head, the
   bias last). */

/** Raised where weights of before cannot be read, or mean something else. */
export const weightsVersion = 3

export interface WeightsHeader {
  version: number
  /** SHA-256 of what the weights came from: rows, synthetic asks, options and seed. */
  trainingRun: string
  /** SHA-256 of what stands behind the header. */
  content: string
  rows: number
  sets: number
  heads: number
  shapeFeatures: number
  /** What a weight of 1 is worth, by head. */
  gramScales: number[]
  shapeScales: number[]
}

export interface Weights {
  header: WeightsHeader
  fingerprints: Uint16Array
  /** `[place * headCount + head]`, times `gramScales[head]`. */
  grams: Int8Array
  /** `[feature * headCount + head]`, as it is used. */
  shape: Float32Array
}

/** Throws where the bytes are no weights of this version. */
export function decodeWeights(file: Uint8Array): Weights {
  // A Buffer's slices would share its memory, where typed arrays of 16 bits cannot begin anywhere.
  const bytes = new Uint8Array(file)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = 4 + view.getUint32(0, true)
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start))) as WeightsHeader
  const { version, heads, shapeFeatures, sets } = header
  if (version !== weightsVersion || heads !== headCount || shapeFeatures !== shapeFeatureCount)
    throw new Error(`weights of version ${version} do not fit this scorer: train again`)
  const places = sets * placesPerSet
  const fingerprints = new Uint16Array(bytes.slice(start, start + places * 2).buffer)
  const gramsEnd = start + places * (2 + headCount)
  const grams = new Int8Array(bytes.slice(start + places * 2, gramsEnd).buffer)
  const stored = new Int16Array(bytes.slice(gramsEnd).buffer)
  const shape = Float32Array.from(stored, (value, at) => value * header.shapeScales[at % headCount]!)
  return { header, fingerprints, grams, shape }
}

/** What is behind the header: the same numbers give the same bytes. */
export function contentBytes(fingerprints: Uint16Array, grams: Int8Array, shape: Int16Array): Uint8Array {
  const parts = [fingerprints, grams, shape]
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
  // Padded with spaces, which JSON passes over.
  const text = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 8) * 8 + 4))
  const bytes = new Uint8Array(4 + text.length + content.length)
  new DataView(bytes.buffer).setUint32(0, text.length, true)
  bytes.set(text, 4)
  bytes.set(content, 4 + text.length)
  return bytes
}
