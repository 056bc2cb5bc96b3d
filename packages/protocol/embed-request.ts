import type { OperationRequest } from './operation-request.ts'

/** A request for vectors, independent of any vendor's format. */
export interface EmbedRequest extends OperationRequest {
  /** At least one; texts, or lists of token numbers. */
  inputs: readonly EmbedInput[]
  /** The caller sent a single input, not a list. */
  isSingle: boolean
  /** This is a part of a caller's request, whose original bytes contain all of it. */
  isPart?: true
  /** The length of each vector; undefined: the model's default. */
  dimensions: number | undefined
  /** The encoding for the caller: numbers, or base64 of little-endian 32-bit floats. */
  encoding: VectorEncoding
  /** The vectors' purpose: a value of `embedInputTypes`, or one that only the vendor knows. */
  inputType: string | undefined
}

export type EmbedInput = string | readonly number[]

export const vectorEncodings = ['float', 'base64'] as const
export type VectorEncoding = (typeof vectorEncodings)[number]
