/** OpenAI's `usage`: https://platform.openai.com/docs/api-reference/chat/object#chat/object-usage. */
export interface ChatUsage {
  prompt_tokens?: unknown
  completion_tokens?: unknown
  total_tokens?: unknown
  prompt_tokens_details?: Record<string, unknown> | null
  completion_tokens_details?: Record<string, unknown> | null
  /** Where Moonshot, Together and DeepSeek say what was read from a cache. */
  cached_tokens?: unknown
  prompt_cache_hit_tokens?: unknown
  /**
   * Mistral's second name for the first details. What it gives as `num_cached_tokens` is its servers' own
   * doing and not priced as cached: 69 of 70, unasked.
   */
  prompt_token_details?: Record<string, unknown> | null
  /** Where Perplexity says how much it thought and searched: beside the completion. */
  reasoning_tokens?: unknown
  num_search_queries?: unknown
  citation_tokens?: unknown
  /** Sources that xAI read for Live Search, and calls of its own tools. */
  num_sources_used?: unknown
  num_server_side_tools_used?: unknown
  /** OpenRouter's, after Anthropic's. */
  server_tool_use?: unknown
  web_search_requests?: unknown
  /** Mistral bills audio by the second. */
  prompt_audio_seconds?: unknown
}
