/**
 * What every request asks for, whatever its operation: what the pipeline needs of each. An operation's own
 * request builds on it.
 */
export interface OperationRequest {
  model: string
  /** The answer is to come piece by piece; false of operations that answer at once. */
  stream: boolean
  /** Bound of all output tokens of one choice, the largest that the caller named; undefined: none. */
  maxOutputTokens: number | undefined
  /** The caller's own end user, as told by the caller. */
  user: string | undefined
  /** Fields of the request that only its own format knows, by their own names. */
  extensions: Record<string, unknown>
}
