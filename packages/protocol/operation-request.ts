/** The fields that the pipeline needs of every operation's request, whose own type extends this one. */
export interface OperationRequest {
  model: string
  /** Whether to stream the answer; false for operations that cannot. */
  stream: boolean
  /** The largest output bound that the caller named, in tokens of one choice; undefined: none. */
  maxOutputTokens: number | undefined
  /** The caller's own end user, as named by the caller. */
  user: string | undefined
  /** Fields that only the request's own format knows, by their names there. */
  extensions: Record<string, unknown>
}
