/** What a tool cannot do for what it was given, in words for the model that called it. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal'
  readonly type: 'invalid_request_error' | 'not_found_error'
  /** The argument that is to blame. */
  readonly param: string | null

  constructor(message: string, param: string | null, type: ToolRefusal['type'] = 'invalid_request_error') {
    super(message)
    this.param = param
    this.type = type
  }
}
