import type { FinishReason } from './finish-reason.ts'
import type { BlockKind, ReasoningHead, ToolCallHead } from './stream-part.ts'
import type { Usage } from './usage.ts'

/** A whole answer, which `fold` builds from a stream's parts. */
export interface ModelResponse {
  id: string | undefined
  model: string | undefined
  created: number | undefined
  extensions: Record<string, unknown>
  choices: ResponseChoice[]
  usage: Usage | undefined
}

export interface ResponseChoice {
  index: number
  blocks: ResponseBlock[]
  finish: { reason: FinishReason; rawReason: string } | undefined
}

export interface ResponseBlock {
  kind: BlockKind
  text: string
  toolCall?: ToolCallHead
  reasoning?: ReasoningHead
  name?: string
  logprobs?: unknown[]
  values?: unknown[]
  signature?: string
  encrypted?: string
}
