import { totalInputTokens, totalOutputTokens, type Usage } from '@turnpike/protocol'

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
}

/**
 * The disjoint buckets of OpenAI's counts, in which details are parts of their totals. Undefined where
 * there are no usable totals, so that nobody takes a missing count for zero.
 */
export function parseUsage(raw: unknown): Usage | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined
  const body = raw as ChatUsage
  const prompt = count(body.prompt_tokens)
  const completion = count(body.completion_tokens)
  if (prompt === undefined || completion === undefined) return undefined
  // No prompt and no answer: some vendors write zeros while they do not know yet.
  if (prompt === 0 && completion === 0) return undefined
  const usage: Usage = { raw }
  const cached = body.prompt_cache_hit_tokens ?? body.cached_tokens
  parseInput(usage, prompt, { cached_tokens: cached, ...body.prompt_tokens_details })
  parseOutput(usage, prompt, completion, count(body.total_tokens), body.completion_tokens_details ?? {})
  return usage
}

function parseInput(usage: Usage, prompt: number, details: Record<string, unknown>): void {
  let rest = prompt
  const part = (value: unknown): number | undefined => {
    const tokens = count(value)
    if (tokens === undefined) return undefined
    const taken = Math.min(tokens, rest)
    rest -= taken
    return taken
  }
  set(usage, 'cacheReadTokens', part(details['cached_tokens']))
  set(usage, 'cacheWriteTokens', part(details['cache_write_tokens']))
  set(usage, 'inputAudioTokens', part(details['audio_tokens']))
  set(usage, 'inputImageTokens', part(details['image_tokens']))
  usage.inputTokens = rest
}

function parseOutput(
  usage: Usage,
  prompt: number,
  completion: number,
  total: number | undefined,
  details: Record<string, unknown>,
): void {
  const reasoning = count(details['reasoning_tokens'])
  const audio = count(details['audio_tokens'])
  // Some vendors count reasoning beside the completion, not within it: their own total tells.
  const beside = reasoning !== undefined && reasoning > 0 && total === prompt + completion + reasoning
  let rest = beside ? completion + reasoning : completion
  if (reasoning !== undefined) {
    usage.reasoningTokens = Math.min(reasoning, rest)
    rest -= usage.reasoningTokens
  }
  if (audio !== undefined) {
    usage.outputAudioTokens = Math.min(audio, rest)
    rest -= usage.outputAudioTokens
  }
  usage.outputTokens = rest
}

/** Usage in OpenAI's shape. What the vendor said beyond our buckets, in the same shape, is kept. */
export function formatUsage(usage: Usage): Record<string, unknown> {
  const raw = isChatUsage(usage.raw) ? usage.raw : {}
  const input = totalInputTokens(usage)
  const output = totalOutputTokens(usage)
  return {
    ...raw,
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      ...raw.prompt_tokens_details,
      cached_tokens: usage.cacheReadTokens ?? 0,
      cache_write_tokens: (usage.cacheWriteTokens ?? 0) + (usage.cacheWrite1hTokens ?? 0),
    },
    completion_tokens_details: {
      ...raw.completion_tokens_details,
      reasoning_tokens: usage.reasoningTokens ?? 0,
    },
  }
}

function isChatUsage(raw: unknown): raw is ChatUsage {
  return typeof raw === 'object' && raw !== null && 'prompt_tokens' in raw
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

function set(
  usage: Usage,
  bucket: 'cacheReadTokens' | 'cacheWriteTokens' | 'inputAudioTokens' | 'inputImageTokens',
  value: number | undefined,
): void {
  if (value !== undefined) usage[bucket] = value
}
