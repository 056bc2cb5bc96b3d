import type { GatewayError } from './error.ts'
import type { FinishReason } from './finish-reason.ts'
import type { Usage } from './usage.ts'

/**
 * The vocabulary of an answer, streamed or not: every decoder speaks it, every encoder understands
 * it, and `fold` makes the whole answer of it. Block boundaries are explicit, so that a format
 * whose own stream has none (or has others) still gets them right.
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
  /** Fields of the answer's head that only its own format knows, as `service_tier`. */
  extensions: Record<string, unknown>
}

export type BlockKind = 'text' | 'refusal' | 'reasoning' | 'tool-call' | 'raw'

export interface BlockStart {
  type: 'block-start'
  /** Which of the answer's choices (`n`); 0 where there is one. */
  choice: number
  /** Number of the block within its choice, from 0. */
  block: number
  kind: BlockKind
  toolCall?: ToolCallHead
  /** Of a `reasoning` block. */
  reasoning?: ReasoningHead
  /** Of a `text` block that came as a call of a tool: the whole answer; texts beside it are none of it. */
  isAnswer?: true
  /** A `raw` block's name: the field or block type of the format it came from. */
  name?: string
}

/** Whose reasoning it is, so that it is only sent back to who understands it. */
export interface ReasoningHead {
  /** `anthropic-claude-v1`, `google-gemini-v1`, … (OpenRouter's words); absent where nobody needs it back. */
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
  /** More of the block's text; for a tool call more of its arguments, as JSON text. */
  text: string
  /** Log probabilities of these tokens, in the format's own shape. */
  logprobs?: unknown
  /** A `raw` block's value, as it came. */
  value?: unknown
}

export interface BlockEnd {
  type: 'block-end'
  choice: number
  block: number
  /** Proves that a reasoning block's text is the vendor's own; to be sent back unchanged. */
  signature?: string
  /** A reasoning block in a form that only the vendor reads; to be sent back unchanged. */
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

/** The answer broke off: nothing of the upstream's follows. */
export interface ErrorPart {
  type: 'error'
  error: GatewayError
}
