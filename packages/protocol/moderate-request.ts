import type { OperationRequest } from './operation-request.ts'

/** A request to say what of an input is harmful, in no vendor's shape. */
export interface ModerateRequest extends OperationRequest {
  /** At least one. Each is judged for itself, unless they are parts of one input. */
  inputs: readonly ModerateInput[]
  /** `text`: one text, and no list; `texts`; `parts`: of one input, which is judged as a whole. */
  form: 'text' | 'texts' | 'parts'
}

export type ModerateInput =
  | { kind: 'text'; text: string }
  /** An address, or a `data:` URL. */
  | { kind: 'image'; url: string }
