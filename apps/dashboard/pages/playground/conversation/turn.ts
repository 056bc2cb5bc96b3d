/** What stands beside a question. */
export interface Attachment {
  kind: 'image' | 'file' | 'text'
  name: string
  mimeType: string
  /** Of the file itself. */
  bytes: number
  /** A `data:` URL; of a text the text itself. */
  data: string
}

/** A tool that the model wants called. */
export interface ToolCall {
  id: string
  name: string
  /** JSON, as the model wrote it. */
  arguments: string
}

export type ReasoningDetail = { type: string } & Record<string, unknown>

/** One message, whoever's it is. */
export type Turn =
  | { role: 'user'; text: string; attachments?: readonly Attachment[] }
  | {
      role: 'assistant'
      text: string
      toolCalls?: readonly ToolCall[]
      reasoningDetails?: readonly ReasoningDetail[]
    }
  | { role: 'tool'; callId: string; name: string; text: string }
