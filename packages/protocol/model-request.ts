import type { OperationRequest } from './operation-request.ts'
import type { ReasoningHead } from './stream-part.ts'

/**
 * A request for an answer of a model, in no vendor's shape. What a format cannot say in these words travels
 * in `extensions` (fields) or `raw` blocks (content), so that nothing is dropped in silence.
 */
export interface ModelRequest extends OperationRequest {
  messages: Message[]
  /** The messages are texts to go on with, each on its own; undefined: they are one conversation. */
  completion?: Completion
  tools: Tool[]
  toolChoice: ToolChoice | undefined
  parallelToolCalls: boolean | undefined
  output: OutputFormat | undefined
  /** How many choices; 1 where the caller did not say. */
  choices: number
  temperature: number | undefined
  topP: number | undefined
  frequencyPenalty: number | undefined
  presencePenalty: number | undefined
  stop: string[]
  seed: number | undefined
  logprobs: { top: number } | undefined
  reasoning: ReasoningOptions | undefined
}

/** What is asked for where texts are to be gone on with: OpenAI's older completions. */
export interface Completion {
  /** How many texts there are; each gets as many choices as are asked for. */
  prompts: number
  /** Tokens of those that are given by the numbers of their tokens: these are no messages. */
  numberedTokens: number
  /** What stands behind the choice. */
  suffix?: string
  /** Each choice begins with its prompt. */
  echo?: boolean
  /** Log probabilities of so many tokens are told in each place, in the format's own shape. */
  logprobs?: number
  /** So many are generated for each prompt, and the best of them are the choices. */
  bestOf?: number
}

/** How much the model is to think before it answers. */
export interface ReasoningOptions {
  /** `none`, `minimal`, `low`, `medium`, `high` or `xhigh`; `none` turns it off where it can be. */
  effort?: string
  /** Tokens it may think for. */
  budgetTokens?: number
  /** The caller does not want to see it. */
  hidden?: boolean
}

export type Message =
  | { role: 'system' | 'developer'; content: ContentBlock[]; name?: string }
  | { role: 'user'; content: ContentBlock[]; name?: string }
  | { role: 'assistant'; content: ContentBlock[]; name?: string }
  | {
      role: 'tool'
      content: ContentBlock[]
      toolCallId: string
      name?: string
      /** The tool failed: its content says how. */
      failed?: boolean
    }

export type ContentBlock =
  | {
      kind: 'text'
      text: string
      cache?: CacheMark
      extensions?: Record<string, unknown>
      /** The block of Anthropic's own that this text says to other vendors. */
      blockOfMessages?: Record<string, unknown>
    }
  | { kind: 'refusal'; text: string }
  | { kind: 'image'; source: MediaSource; detail?: string; cache?: CacheMark }
  | { kind: 'audio'; source: MediaSource; cache?: CacheMark }
  | {
      kind: 'document'
      source: MediaSource
      filename?: string
      cache?: CacheMark
      /** Members that only its own format knows, by their own names; the same in texts and tools. */
      extensions?: Record<string, unknown>
    }
  | ReasoningBlock
  | {
      kind: 'tool-call'
      id: string
      name: string
      /** JSON text, as the model wrote it. */
      arguments: string
      variant: 'function' | 'custom' | 'legacy-function'
      cache?: CacheMark
    }
  /** A block that has no word of ours. */
  | { kind: 'raw'; value: unknown; format?: RawFormat }

/** Whose words a raw block or tool is in; those of OpenAI's chat completions where it is not said. */
export type RawFormat = 'anthropic-messages' | 'openai-responses' | 'google-generate'

/** What the model thought in an earlier turn, to reach its vendor unchanged. */
export interface ReasoningBlock extends ReasoningHead {
  kind: 'reasoning'
  text: string
  /** Proves that the text is the vendor's own. */
  signature?: string
  /** The whole of it in a form that only the vendor reads. */
  encrypted?: string
}

/** Everything up to and with this block may be cached by the vendor, for so long. */
export interface CacheMark {
  lifetime: '5m' | '1h' | undefined
}

export type MediaSource =
  | { type: 'url'; url: string }
  /** `format` is a media type (`image/png`) or, for audio, the format's short name (`wav`). */
  | { type: 'base64'; data: string; format: string }
  | { type: 'file'; fileId: string }

export type Tool =
  | {
      kind: 'function'
      name: string
      description?: string
      /** JSON Schema of the arguments. */
      parameters?: unknown
      strict?: boolean
      cache?: CacheMark
      extensions?: Record<string, unknown>
    }
  | { kind: 'raw'; value: unknown; format?: RawFormat }

export type ToolChoice =
  | { type: 'none' | 'auto' | 'required' }
  | { type: 'named'; name: string }
  | { type: 'raw'; value: unknown; format?: RawFormat }

export type OutputFormat =
  | { type: 'text' }
  | { type: 'json-object' }
  | { type: 'json-schema'; name: string; schema: unknown; strict?: boolean; description?: string }
