import { formatUsd } from '@turnpike/billing'

/**
 * The answer that a caller must get for a recorded one: the recording, with the changes of docs/contract.md,
 * 5.4.
 */

export interface ChatBody {
  [field: string]: unknown
  choices: ChatChoice[]
  usage?: ChatUsage | null
}

interface ChatChoice {
  [field: string]: unknown
  message?: Record<string, unknown>
}

interface ChatUsage {
  [field: string]: unknown
  prompt_tokens: number
  completion_tokens: number
  prompt_tokens_details?: { cached_tokens?: number }
}

/** With our changes: `model`, the cost, and nulls for fields that a vendor left out. */
export function expectedAnswer(recorded: ChatBody, model: string): unknown {
  const body: ChatBody = {
    ...withoutNullFingerprint(recorded),
    model,
    choices: recorded.choices.map((choice) => ({
      ...choice,
      logprobs: choice['logprobs'] ?? null,
      message: { ...choice.message, refusal: choice.message?.['refusal'] ?? null },
    })),
  }
  return { ...body, usage: expectedUsage(recorded.usage!) }
}

/** The chunks of a stream. If usage was requested, it comes last; a vendor may send something after it. */
export function expectedChunks(
  recorded: readonly ChatBody[],
  model: string,
  includeUsage: boolean,
): unknown[] {
  const chunks: unknown[] = []
  const last: unknown[] = []
  for (const chunk of recorded) {
    const { usage, ...rest } = withoutNullFingerprint(chunk)
    if (usage === undefined || usage === null)
      chunks.push({ ...rest, model, ...(includeUsage ? { usage: null } : {}) })
    else if (includeUsage) last.push({ ...rest, model, usage: expectedUsage(usage) })
  }
  return [...chunks, ...last]
}

function withoutNullFingerprint(body: ChatBody): ChatBody {
  const { system_fingerprint: fingerprint, ...rest } = body
  return typeof fingerprint === 'string' ? body : rest
}

function expectedUsage(usage: ChatUsage): unknown {
  const cost = formatUsd(costPico(usage))
  return {
    ...usage,
    prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0, ...usage.prompt_tokens_details },
    completion_tokens_details: { reasoning_tokens: 0, ...(usage['completion_tokens_details'] as object) },
    cost_usd: cost,
    cost: Number(cost),
  }
}

/** Cost at the prices of `recorded-node.ts`, computed independently of the gateway's own arithmetic. */
function costPico(usage: ChatUsage): bigint {
  const cached = BigInt(usage.prompt_tokens_details?.cached_tokens ?? 0)
  const fresh = BigInt(usage.prompt_tokens) - cached
  return fresh * 2_500_000n + cached * 1_250_000n + BigInt(usage.completion_tokens) * 10_000_000n
}
