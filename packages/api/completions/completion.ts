export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface CompletionRequest {
  model: string
  messages: Message[]
  maxTokens?: number
  tags?: string[]
}

/** A complete answer of `POST /v1/chat/completions`. */
export interface Completion {
  /** The model that served it. */
  model: string
  content: string
  finishReason: string | null
  tokensIn: number | null
  tokensOut: number | null
  costUsd: string | null
  firstTokenMs: number | null
  totalMs: number
  requestId: string | null
}

/** The body of a request for a stream, with the cost at its end. */
export function completionBody({ model, messages, maxTokens, tags }: CompletionRequest): object {
  return {
    model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
    ...(tags !== undefined && tags.length > 0 && { metadata: { tags } }),
  }
}

/** A completion as JSON. */
export function completionRecord(completion: Completion): Record<string, unknown> {
  return {
    model: completion.model,
    content: completion.content,
    finish_reason: completion.finishReason,
    tokens_in: completion.tokensIn,
    tokens_out: completion.tokensOut,
    cost_usd: completion.costUsd,
    time_to_first_token_ms: completion.firstTokenMs,
    latency_ms: completion.totalMs,
    request_id: completion.requestId,
  }
}
