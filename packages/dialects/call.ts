import type { ModelRequest, OperationRequest, UnsupportedFieldsRule } from '@turnpike/protocol'
import type { ReferencedValue } from './requests/references.ts'

/** A caller's request, understood: what is asked in our words, and what the gateway reads of it. */
export interface Call<Request extends OperationRequest = OperationRequest> {
  request: Request
  /** Models to try after `model`. */
  fallbackModels: string[]
  /** `metadata.tags`, as sent. */
  tags: string[]
  /** `metadata.retry_of`: the request whose answer the caller finds wanting. */
  retryOf: string | undefined
  /** The caller asked for the usage of a stream, where its format tells that to those alone who ask. */
  includeUsage: boolean
  /** What is to become of fields that a vendor cannot honour, where the body says. */
  unsupportedFields: UnsupportedFieldsRule | undefined
  /** What it names, and does not hold. */
  referred: ReferencedValue
  /** Its answer is to be kept, where answers are. */
  keepsAnswer?: boolean
  /** What the format's answers need of the request, in a shape of its own. */
  asked?: object
  /** The body, where errors are told by paths into it; until an answer has begun. */
  body?: object | undefined
}

/** A request for an answer of a model. */
export interface GenerateCall extends Call<ModelRequest> {
  /** Some message has reasoning, under one of its names, if only an empty one. */
  tellsReasoning: boolean
  /** The caller has not asked to see what the model thinks, whoever it is. */
  hidesReasoning?: boolean
  /** How often the vendor may use the tools that it runs, all together; absent: as often as it sees fit. */
  maxToolUses?: number | undefined
}
