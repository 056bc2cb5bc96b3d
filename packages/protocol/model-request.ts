import type { OperationRequest } from './operation-request.ts'
import type { ReasoningHead } from './stream-part.ts'

/**
 * A request for a model's answer, independent of any vendor's format. What this vocabulary cannot express
 * travels in `extensions` (fields) or `raw` blocks (content), so that nothing is lost silently.
 */
export interface ModelRequest extends OperationRequest {
  messages: Message[]
  /** The messages are independent texts to complete; undefined: they are one conversation. */
  completion?: Completion
  tools: Tool[]
  toolChoice: ToolChoice | undefined
  parallelToolCalls: boolean | undefined
  output: OutputFormat | undefined
  /** The number of choices; 1 if the caller did not say. */
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

/** A request to complete texts, as in OpenAI's older completions API. */
export interface Completion {
  /** The number of texts; each gets the requested number of choices. */
  prompts: number
  /** Tokens of prompts that are given as token numbers, which are not among the messages. */
  numberedTokens: number
  /** The text that follows the choice. */
  suffix?: string
  /** Each choice begins with its prompt. */
  echo?: boolean
  /** How many log probabilities to return per position, in the format's own shape. */
  logprobs?: number
  /** How many choices to generate for each prompt; the best of them are returned. */
  bestOf?: number
}

/** How much the model should reason before it answers. */
export interface ReasoningOptions {
  /** `none`, `minimal`, `low`, `medium`, `high` or `xhigh`; `none` turns reasoning off if possible. */
  effort?: string
  /** The most tokens to reason with. */
  budgetTokens?: number
  /** The caller does not want to see the reasoning. */
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
      /** The tool failed; its content describes the error. */
      failed?: boolean
    }

export type ContentBlock =
  | {
      kind: 'text'
      text: string
      cache?: CacheMark
      extensions?: Record<string, unknown>
      /** Anthropic's own block that this text replaces for other vendors. */
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
      /** Members that only the block's own format knows, by their names there; also in texts and tools. */
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
  /** A block that this vocabulary cannot express. */
  | { kind: 'raw'; value: unknown; format?: RawFormat }

/** The format of a raw block or tool; OpenAI's chat completions if absent. */
export type RawFormat = 'anthropic-messages' | 'openai-responses' | 'google-generate'

/** The model's reasoning in an earlier turn, which must reach its vendor unchanged. */
export interface ReasoningBlock extends ReasoningHead {
  kind: 'reasoning'
  text: string
  /** Proves that the vendor wrote the text. */
  signature?: string
  /** The complete reasoning, encrypted by the vendor. */
  encrypted?: string
}

/** The vendor may cache everything up to and including this block, for this long. */
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
