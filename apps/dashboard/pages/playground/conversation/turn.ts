/** A file attached to a question. */
export interface Attachment {
  kind: 'image' | 'file' | 'text'
  name: string
  mimeType: string
  /** The size of the file. */
  bytes: number
  /** A `data:` URL; for a text file its text. */
  data: string
}

/** A tool call of the model. */
export interface ToolCall {
  id: string
  name: string
  /** JSON, as the model wrote it. */
  arguments: string
}

export type ReasoningDetail = { type: string } & Record<string, unknown>

/** One message of any role. */
export type Turn =
  | { role: 'user'; text: string; attachments?: readonly Attachment[] }
  | {
      role: 'assistant'
      text: string
      toolCalls?: readonly ToolCall[]
      reasoningDetails?: readonly ReasoningDetail[]
    }
  | { role: 'tool'; callId: string; name: string; text: string }
