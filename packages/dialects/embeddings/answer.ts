import { GatewayError, type EmbedRequest, type Usage, type VectorEncoding } from '@turnpike/protocol'
import { numbersIn } from './number-text.ts'

/** A vector as its vendor wrote it: a JSON list of numbers, or base64 of little-endian 32-bit floats. */
export interface Vector {
  encoding: VectorEncoding
  /** Without quotes if it is base64. */
  text: Buffer
}

/** A vendor's answer to an embedding request. */
export interface Embeddings {
  /** One per input, in the order of the inputs. */
  vectors: readonly Vector[]
  /** Undefined: the vendor reported none. */
  usage: Usage | undefined
}

/**
 * Checks the number and length of the vectors.
 * @throws {GatewayError} 502 if their number differs from the inputs', or their length from the requested one
 */
export function requireSound({ vectors }: Embeddings, { inputs, dimensions }: EmbedRequest): void {
  if (vectors.length !== inputs.length)
    throw unusable(`${vectors.length} vectors for ${inputs.length} inputs`)
  if (dimensions === undefined) return
  for (let index = 0; index < vectors.length; index++) {
    const length = dimensionsOf(vectors[index]!)
    if (length !== dimensions)
      throw unusable(`a vector of ${length} dimensions where ${dimensions} were asked for (data[${index}])`)
  }
}

/**
 * @param vectors one from each part of an answer
 * @throws {GatewayError} 502 if their lengths differ, since they are then not from the same model
 */
export function requireComparable(vectors: readonly Vector[]): void {
  const lengths = new Set(vectors.map(dimensionsOf))
  if (lengths.size > 1) throw unusable(`vectors of ${[...lengths].join(' and of ')} dimensions`)
}

/** @param mistake must contain no text of the answer */
export function unusable(mistake: string): GatewayError {
  const message = `The upstream returned unusable embeddings: ${mistake}.`
  return new GatewayError('upstream_error', message)
}

const bytesPerFloat = 4

/** The length of a vector. */
function dimensionsOf({ encoding, text }: Vector): number {
  if (encoding === 'base64') return Math.floor(base64Bytes(text) / bytesPerFloat)
  return numbersIn(text) ?? 0
}

const padding = 0x3d

/** The number of bytes that base64 encodes, padded or not. */
export function base64Bytes(text: Buffer): number {
  let end = text.length
  while (end > 0 && text[end - 1] === padding) end--
  return Math.floor((end * 3) / 4)
}

/** Whether the vector can pass as it is within a JSON answer. Checked without converting it to numbers. */
export function isWellFormed({ encoding, text }: Vector): boolean {
  if (encoding === 'float') return numbersIn(text) !== undefined
  for (let at = 0; at < text.length; at++) if (ofBase64[text[at]!] === 0) return false
  const bytes = base64Bytes(text)
  return bytes > 0 && bytes % bytesPerFloat === 0
}

const ofBase64 = new Uint8Array(256)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/='))
  ofBase64[byte] = 1
