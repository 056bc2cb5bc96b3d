import type { OperationRequest } from './operation-request.ts'

/** A request for vectors, in no vendor's shape. */
export interface EmbedRequest extends OperationRequest {
  /** At least one; texts, or lists of the numbers of their tokens. */
  inputs: readonly EmbedInput[]
  /** The caller gave one input, and no list of them. */
  isSingle: boolean
  /** Some of the inputs of a caller's request, whose own bytes hold all of them. */
  isPart?: true
  /** How long each vector is to be; undefined: as the model makes it. */
  dimensions: number | undefined
  /** How the caller reads the vectors: as numbers, or as base64 of little-endian 32-bit floats. */
  encoding: VectorEncoding
  /** What the vectors are for, in the word of `embedInputTypes`, or another one of the vendor's. */
  inputType: string | undefined
}

export type EmbedInput = string | readonly number[]

export const vectorEncodings = ['float', 'base64'] as const
export type VectorEncoding = (typeof vectorEncodings)[number]
