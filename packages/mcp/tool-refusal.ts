/** Why a tool cannot handle its input, in words for the model that called it. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal'
  readonly type: 'invalid_request_error' | 'not_found_error'
  /** The argument at fault. */
  readonly param: string | null

  constructor(message: string, param: string | null, type: ToolRefusal['type'] = 'invalid_request_error') {
    super(message)
    this.param = param
    this.type = type
  }
}
