/**
 * A request to a model, in no vendor's shape. What a dialect cannot say in these words travels in
 * `extensions` (fields) or `raw` blocks (content), so that nothing is dropped in silence.
 */
export interface ModelRequest {
  model: string
  messages: Message[]
  stream: boolean
  tools: Tool[]
  toolChoice: ToolChoice | undefined
  parallelToolCalls: boolean | undefined
  output: OutputFormat | undefined
  /** Bound of all output tokens, reasoning included. */
  maxOutputTokens: number | undefined
  /** How many choices; 1 where the caller did not say. */
  choices: number
  temperature: number | undefined
  topP: number | undefined
  frequencyPenalty: number | undefined
  presencePenalty: number | undefined
  stop: string[]
  seed: number | undefined
  logprobs: { top: number } | undefined
  reasoning: { effort?: string; budgetTokens?: number } | undefined
  /** The caller's own end user, as told by the caller. */
  user: string | undefined
  /** Fields of the request that only its own dialect knows, by their own names. */
  extensions: Record<string, unknown>
}

export type Message =
  | { role: 'system' | 'developer'; content: ContentBlock[]; name?: string }
  | { role: 'user'; content: ContentBlock[]; name?: string }
  | { role: 'assistant'; content: ContentBlock[]; name?: string }
  | { role: 'tool'; content: ContentBlock[]; toolCallId: string; name?: string }

export type ContentBlock =
  | { kind: 'text'; text: string }
  | { kind: 'refusal'; text: string }
  | { kind: 'image'; source: MediaSource; detail?: string }
  | { kind: 'audio'; source: MediaSource }
  | { kind: 'document'; source: MediaSource; filename?: string }
  | { kind: 'reasoning'; text: string; signature?: string }
  | {
      kind: 'tool-call'
      id: string
      name: string
      arguments: string
      variant: 'function' | 'custom' | 'legacy-function'
    }
  /** A block of the dialect it came from that has no word of ours. */
  | { kind: 'raw'; value: unknown }

export type MediaSource =
  | { type: 'url'; url: string }
  /** `format` is a media type (`image/png`) or, for audio, the dialect's short name (`wav`). */
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
    }
  | { kind: 'raw'; value: unknown }

export type ToolChoice =
  | { type: 'none' | 'auto' | 'required' }
  | { type: 'named'; name: string }
  | { type: 'raw'; value: unknown }

export type OutputFormat =
  | { type: 'text' }
  | { type: 'json-object' }
  | { type: 'json-schema'; name: string; schema: unknown; strict?: boolean; description?: string }
