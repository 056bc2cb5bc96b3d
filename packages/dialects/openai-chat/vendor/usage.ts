import { totalInputTokens, totalOutputTokens, type Usage } from '@turnpike/protocol'
import { markUnpricedCount, memberOf, setSearches } from '../../answers/paid-services.ts'
import { isMiscount, tokenCount as count } from '../../answers/token-count.ts'

/** OpenAI's `usage`: https://platform.openai.com/docs/api-reference/chat/object#chat/object-usage. */
interface ChatUsage {
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

/**
 * The disjoint buckets of OpenAI's counts, in which details are parts of their totals. Undefined where
 * there are no usable totals, so that nobody takes a missing count for zero.
 */
export function parseUsage(raw: unknown): Usage | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined
  const body = raw as ChatUsage
  const prompt = count(body.prompt_tokens)
  const total = count(body.total_tokens)
  if (isMiscount(body.prompt_tokens) || isMiscount(body.completion_tokens))
    return { raw, disbelieved: 'implausible' }
  if (prompt === undefined) return undefined
  // Zeros are left out by those whose answers are made of protobuf.
  const completion = count(body.completion_tokens) ?? (total === undefined ? undefined : total - prompt)
  if (completion === undefined || completion < 0) return undefined
  // No prompt and no answer: some vendors write zeros while they do not know yet.
  if (prompt === 0 && completion === 0) return undefined
  const usage: Usage = { raw }
  parseInput(usage, prompt, body)
  parseOutput(usage, prompt, completion, body)
  parseServices(usage, body)
  return usage
}

/** What is billed beside tokens: not within the totals. */
function parseServices(usage: Usage, body: ChatUsage): void {
  setSearches(
    usage,
    body.num_search_queries ??
      body.num_sources_used ??
      memberOf(body.server_tool_use, 'web_search_requests') ??
      body.web_search_requests,
  )
  const citations = count(body.citation_tokens)
  if (citations !== undefined && citations > 0) usage.citationTokens = citations
  markUnpricedCount(usage, 'server_tools', body.num_server_side_tools_used)
  markUnpricedCount(usage, 'audio_seconds', body.prompt_audio_seconds)
}

function cacheReads(body: ChatUsage): unknown {
  return (
    body.prompt_tokens_details?.['cached_tokens'] ??
    body.prompt_token_details?.['cached_tokens'] ??
    body.prompt_cache_hit_tokens ??
    body.cached_tokens
  )
}

/**
 * OpenRouter's name for what was written to a cache, Alibaba's
 * (https://www.alibabacloud.com/help/en/model-studio/context-cache), and LiteLLM's.
 */
function cacheWrites(details: Record<string, unknown>): unknown {
  return (
    details['cache_write_tokens'] ??
    details['cache_creation_input_tokens'] ??
    details['cache_creation_tokens']
  )
}

function parseInput(usage: Usage, prompt: number, body: ChatUsage): void {
  const details = body.prompt_tokens_details ?? {}
  let rest = prompt
  const part = (value: unknown): number | undefined => {
    const tokens = count(value)
    if (tokens === undefined) return undefined
    const taken = Math.min(tokens, rest)
    rest -= taken
    return taken
  }
  set(usage, 'cacheReadTokens', part(cacheReads(body)))
  set(usage, 'cacheWriteTokens', part(cacheWrites(details)))
  set(usage, 'inputAudioTokens', part(details['audio_tokens']))
  set(usage, 'inputImageTokens', part(details['image_tokens']))
  usage.inputTokens = rest
}

function parseOutput(usage: Usage, prompt: number, completion: number, body: ChatUsage): void {
  const details = body.completion_tokens_details ?? {}
  const audio = count(details['audio_tokens'])
  const images = count(details['image_tokens'])
  const reasoning = count(details['reasoning_tokens']) ?? count(body.reasoning_tokens)
  const beside = reasoning !== undefined && isBeside(reasoning, prompt + completion, body)
  let rest = beside ? completion + reasoning : completion
  if (reasoning !== undefined) {
    usage.reasoningTokens = Math.min(reasoning, rest)
    rest -= usage.reasoningTokens
  }
  if (audio !== undefined) {
    usage.outputAudioTokens = Math.min(audio, rest)
    rest -= usage.outputAudioTokens
  }
  if (images !== undefined && images > 0) {
    usage.outputImageTokens = Math.min(images, rest)
    rest -= usage.outputImageTokens
  }
  usage.outputTokens = rest
}

/**
 * Some vendors count reasoning beside the completion, not within it: their own total tells; or it was for a
 * search, and is priced apart (https://docs.perplexity.ai/models/models/sonar-deep-research).
 */
function isBeside(reasoning: number, rest: number, body: ChatUsage): boolean {
  if (reasoning === 0) return false
  const searched = body.reasoning_tokens !== undefined && body.num_search_queries !== undefined
  return searched || count(body.total_tokens) === rest + reasoning
}

/** Counts beside ours that clients know by these names. */
const furtherCounts: ReadonlySet<string> = new Set([
  'cached_tokens',
  'prompt_cache_hit_tokens',
  'prompt_cache_miss_tokens',
  'reasoning_tokens',
  'citation_tokens',
  'num_search_queries',
  'num_sources_used',
])

/** Parts of the totals, in OpenAI's details and in what others put there. */
const furtherDetails: ReadonlySet<string> = new Set([
  'text_tokens',
  'audio_tokens',
  'image_tokens',
  'video_tokens',
  'accepted_prediction_tokens',
  'rejected_prediction_tokens',
])

/**
 * Usage in OpenAI's shape, made of counts that have a name here: vendors tell their operator's costs in the
 * same object, each under names of its own.
 */
export function formatUsage(usage: Usage): Record<string, unknown> {
  const raw = isChatUsage(usage.raw) ? usage.raw : {}
  const input = totalInputTokens(usage)
  const output = totalOutputTokens(usage)
  const told = countsOf(raw, furtherCounts)
  told['prompt_tokens'] = input
  told['completion_tokens'] = output
  told['total_tokens'] = input + output
  const prompt = countsOf(raw.prompt_tokens_details, furtherDetails)
  prompt['cached_tokens'] = (usage.cacheReadTokens ?? 0) + (usage.cacheReadAudioTokens ?? 0)
  prompt['cache_write_tokens'] = (usage.cacheWriteTokens ?? 0) + (usage.cacheWrite1hTokens ?? 0)
  told['prompt_tokens_details'] = prompt
  const completion = countsOf(raw.completion_tokens_details, furtherDetails)
  completion['reasoning_tokens'] = usage.reasoningTokens ?? 0
  told['completion_tokens_details'] = completion
  return told
}

/** Those of these counts that are there, in an object of their own. */
function countsOf(holder: object | null | undefined, names: ReadonlySet<string>): Record<string, unknown> {
  const counts: Record<string, unknown> = {}
  if (typeof holder !== 'object' || holder === null) return counts
  for (const name in holder) {
    if (!names.has(name)) continue
    const tokens = count((holder as Record<string, unknown>)[name])
    if (tokens !== undefined) counts[name] = tokens
  }
  return counts
}

function isChatUsage(raw: unknown): raw is ChatUsage {
  return typeof raw === 'object' && raw !== null && 'prompt_tokens' in raw
}

function set(
  usage: Usage,
  bucket: 'cacheReadTokens' | 'cacheWriteTokens' | 'inputAudioTokens' | 'inputImageTokens',
  value: number | undefined,
): void {
  if (value !== undefined) usage[bucket] = value
}
