import type { Usage } from '@turnpike/protocol'
import { markUnpricedCount, memberOf, setSearches } from '../../answers/paid-services.ts'
import { isMiscount, tokenCount as count } from '../../answers/token-count.ts'
import type { ChatUsage } from '../chat-usage.ts'

/**
 * Splits OpenAI's counts, in which details are part of their totals, into disjoint buckets. Undefined if
 * there are no usable totals, so that a missing count is not read as zero.
 */
export function parseUsage(raw: unknown): Usage | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined
  const body = raw as ChatUsage
  const prompt = count(body.prompt_tokens)
  const total = count(body.total_tokens)
  if (isMiscount(body.prompt_tokens) || isMiscount(body.completion_tokens))
    return { raw, disbelieved: 'implausible' }
  if (prompt === undefined) return undefined
  // Servers based on protobuf omit zeros.
  const completion = count(body.completion_tokens) ?? (total === undefined ? undefined : total - prompt)
  if (completion === undefined || completion < 0) return undefined
  // Neither prompt nor answer: some vendors send zeros while they do not know the counts yet.
  if (prompt === 0 && completion === 0) return undefined
  const usage: Usage = { raw }
  parseInput(usage, prompt, body)
  parseOutput(usage, prompt, completion, body)
  parseServices(usage, body)
  return usage
}

/** Reads what is billed besides tokens and is not part of the totals. */
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
 * Cache writes under the names of OpenRouter, Alibaba
 * (https://www.alibabacloud.com/help/en/model-studio/context-cache) and LiteLLM.
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
  setBucket(usage, 'cacheReadTokens', part(cacheReads(body)))
  setBucket(usage, 'cacheWriteTokens', part(cacheWrites(details)))
  setBucket(usage, 'inputAudioTokens', part(details['audio_tokens']))
  setBucket(usage, 'inputImageTokens', part(details['image_tokens']))
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
 * Some vendors count reasoning in addition to the completion, which their own total shows. Reasoning for a
 * search is priced separately (https://docs.perplexity.ai/models/models/sonar-deep-research).
 */
function isBeside(reasoning: number, rest: number, body: ChatUsage): boolean {
  if (reasoning === 0) return false
  const searched = body.reasoning_tokens !== undefined && body.num_search_queries !== undefined
  return searched || count(body.total_tokens) === rest + reasoning
}

function setBucket(
  usage: Usage,
  bucket: 'cacheReadTokens' | 'cacheWriteTokens' | 'inputAudioTokens' | 'inputImageTokens',
  value: number | undefined,
): void {
  if (value !== undefined) usage[bucket] = value
}
