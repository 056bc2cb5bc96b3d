import type { GatewayError } from './error.ts'
import type { FinishReason } from './finish-reason.ts'
import type { Usage } from './usage.ts'

/**
 * The vocabulary of an answer, streamed or not: every decoder produces it, every encoder reads it, and `fold`
 * builds the whole answer from it. Block boundaries are explicit, so that formats with other boundaries, or
 * none, get them right.
 */
export type StreamPart =
  | ResponseStart
  | BlockStart
  | BlockDelta
  | BlockEnd
  | UsagePart
  | FinishPart
  | ErrorPart

export interface ResponseStart {
  type: 'response-start'
  id: string | undefined
  model: string | undefined
  /** Unix epoch seconds. */
  created: number | undefined
  /** Fields of the answer's head that only its own format knows, such as `service_tier`. */
  extensions: Record<string, unknown>
}

export type BlockKind = 'text' | 'refusal' | 'reasoning' | 'tool-call' | 'raw'

export interface BlockStart {
  type: 'block-start'
  /** The index of the choice (`n`); 0 if there is only one. */
  choice: number
  /** The block's index within its choice, from 0. */
  block: number
  kind: BlockKind
  toolCall?: ToolCallHead
  /** Only for a `reasoning` block. */
  reasoning?: ReasoningHead
  /** For a `text` block that arrived as a tool call: it is the whole answer, without other texts. */
  isAnswer?: true
  /** For a `raw` block: the field or block type of its original format. */
  name?: string
}

/** The origin of reasoning, so that it is only sent back to a vendor that understands it. */
export interface ReasoningHead {
  /**
   * `anthropic-claude-v1`, `google-gemini-v1`, … (OpenRouter's names); absent if it need not be sent back.
   */
  format?: string
  /** The vendor's own identifier of the block. */
  id?: string
}

export interface ToolCallHead {
  id: string
  name: string
  /** OpenAI's custom tools take free text, its deprecated functions have no id; all others are `function`. */
  variant: 'function' | 'custom' | 'legacy-function'
}

export interface BlockDelta {
  type: 'block-delta'
  choice: number
  block: number
  /** More of the block's text; for a tool call, more of its arguments as JSON text. */
  text: string
  /** Log probabilities of these tokens, in the format's own shape. */
  logprobs?: unknown
  /** A `raw` block's value, unchanged. */
  value?: unknown
}

export interface BlockEnd {
  type: 'block-end'
  choice: number
  block: number
  /** Proves that the vendor wrote a reasoning block's text; must be sent back unchanged. */
  signature?: string
  /** A reasoning block encrypted by the vendor; must be sent back unchanged. */
  encrypted?: string
}

export interface UsagePart {
  type: 'usage'
  readonly usage: Usage
}

export interface FinishPart {
  type: 'finish'
  choice: number
  reason: FinishReason
  rawReason: string
}

/** The answer broke off; nothing more of it follows. */
export interface ErrorPart {
  type: 'error'
  error: GatewayError
}
