import type { OperationRequest } from './operation-request.ts'

/** A request to classify harmful input, independent of any vendor's format. */
export interface ModerateRequest extends OperationRequest {
  /** At least one. Each is classified separately, unless they are parts of one input. */
  inputs: readonly ModerateInput[]
  /** `text`: one text, not in a list; `texts`; `parts`: of one input, which is classified as a whole. */
  form: 'text' | 'texts' | 'parts'
}

export type ModerateInput =
  | { kind: 'text'; text: string }
  /** An address, or a `data:` URL. */
  | { kind: 'image'; url: string }
