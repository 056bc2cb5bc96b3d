import { GatewayError, type EmbedRequest, type Usage, type VectorEncoding } from '@turnpike/protocol'

/** A vector as its vendor wrote it: JSON of a list of numbers, or base64 of little-endian 32-bit floats. */
export interface Vector {
  encoding: VectorEncoding
  /** Without quotes where it is base64. */
  text: Buffer
}

/** A vendor's answer to a request for vectors. */
export interface Embeddings {
  /** One for each input, in the order of these. */
  vectors: readonly Vector[]
  /** Undefined: the vendor told none. */
  usage: Usage | undefined
}

/**
 * What cannot be given to a caller is nobody's vectors.
 * @throws {GatewayError} 502 where there are fewer or more of them than inputs, or they are of another length
 * than was asked for
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

/** @param mistake without texts of the answer */
export function unusable(mistake: string): GatewayError {
  const message = `The upstream answered with embeddings that cannot be used: ${mistake}.`
  return new GatewayError('upstream_error', message)
}

const comma = 0x2c
const bytesPerFloat = 4

/** How long a vector is. */
export function dimensionsOf({ encoding, text }: Vector): number {
  if (encoding === 'base64') return Math.floor(base64Bytes(text) / bytesPerFloat)
  let commas = 0
  let isEmpty = true
  for (let at = 1; at < text.length - 1; at++) {
    const byte = text[at]!
    if (byte === comma) commas++
    else if (byte > 0x20) isEmpty = false
  }
  return isEmpty ? 0 : commas + 1
}

const padding = 0x3d

/** How many bytes base64 stands for, padded or not. */
export function base64Bytes(text: Buffer): number {
  let end = text.length
  while (end > 0 && text[end - 1] === padding) end--
  return Math.floor((end * 3) / 4)
}

/** Whether its length is that of whole floats: what is wrong within it, its reader finds. */
export function isWellFormedBase64(text: Buffer): boolean {
  const bytes = base64Bytes(text)
  return bytes > 0 && bytes % bytesPerFloat === 0
}
