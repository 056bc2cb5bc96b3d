import type { ModelRequest, OperationRequest, UnsupportedFieldsRule } from '@turnpike/protocol'
import type { ReferencedValue } from './requests/references.ts'

/** A parsed request of a caller: the neutral request, and the fields that the gateway itself reads. */
export interface Call<Request extends OperationRequest = OperationRequest> {
  request: Request
  /** Models to try after `model`. */
  fallbackModels: string[]
  /** `metadata.tags`, as sent. */
  tags: string[]
  /** `metadata.retry_of`: the request whose answer did not satisfy the caller. */
  retryOf: string | undefined
  /** The caller asked for the usage of a stream, in a format that sends it only on request. */
  includeUsage: boolean
  /** What to do with fields that a vendor cannot honour, if the body says so. */
  unsupportedFields: UnsupportedFieldsRule | undefined
  /** What the request refers to without containing it. */
  referred: ReferencedValue
  /** The answer is to be kept, if the gateway keeps answers. */
  keepsAnswer?: boolean
  /** What the format's answers need from the request, in a shape of the format's own. */
  asked?: object
  /** The parsed body, kept until an answer has begun, for formats whose errors name paths into it. */
  body?: object | undefined
}

/** A request for an answer from a model. */
export interface GenerateCall extends Call<ModelRequest> {
  /** A message has reasoning under one of its field names, even if it is empty. */
  tellsReasoning: boolean
  /** The caller has not asked to see reasoning, whichever model answers. */
  hidesReasoning?: boolean
  /** How often the vendor may use the tools that it runs, in total. Absent: no limit. */
  maxToolUses?: number | undefined
}
