/** OpenAI's `usage`: https://platform.openai.com/docs/api-reference/chat/object#chat/object-usage. */
export interface ChatUsage {
  prompt_tokens?: unknown
  completion_tokens?: unknown
  total_tokens?: unknown
  prompt_tokens_details?: Record<string, unknown> | null
  completion_tokens_details?: Record<string, unknown> | null
  /** Where Moonshot, Together and DeepSeek report cache reads. */
  cached_tokens?: unknown
  prompt_cache_hit_tokens?: unknown
  /**
   * Mistral's second name for the prompt details. Its `num_cached_tokens` is its servers' own caching and not
   * priced as cached: 69 of 70, without a request for it.
   */
  prompt_token_details?: Record<string, unknown> | null
  /** Where Perplexity reports reasoning and searches: beside the completion. */
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
