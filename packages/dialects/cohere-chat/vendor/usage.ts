import type { Usage } from '@turnpike/protocol'
import { markUnpricedCount } from '../../answers/paid-services.ts'
import { isMiscount, tokenCount } from '../../answers/token-count.ts'
import { isObject, type JsonObject } from '../../json/object.ts'

/**
 * Reads what is billed from `{"billed_units": {"input_tokens": 83, "output_tokens": 109}, "tokens":
 * {"input_tokens": 379, …}}`. `tokens` also counts what Cohere itself adds to a conversation, which is free,
 * and so is what came from a cache (`cached_tokens`).
 */
export function parseUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const billed = countsOf(raw['billed_units'])
  const usage = billed === undefined ? usageOfTokens(raw) : usageOf(billed, raw)
  if (usage !== undefined && usage.disbelieved === undefined) markServices(usage, raw['billed_units'])
  return usage
}

interface Counts {
  input: unknown
  output: unknown
}

/** Undefined if there are no counts: some servers send zeros while they do not know them. */
function countsOf(units: unknown): Counts | undefined {
  if (!isObject(units)) return undefined
  const { input_tokens: input, output_tokens: output } = units
  return isNothing(input) && isNothing(output) ? undefined : { input, output }
}

function isNothing(count: unknown): boolean {
  return count === undefined || count === null || count === 0
}

/** All input and output of a server that bills nothing, such as one of the operator's own. */
function usageOfTokens(raw: JsonObject): Usage | undefined {
  const counts = countsOf(raw['tokens'])
  if (counts === undefined) return undefined
  const usage = usageOf(counts, raw)
  const cached = tokenCount(raw['cached_tokens'])
  if (cached === undefined || usage.inputTokens === undefined) return usage
  const cacheReadTokens = Math.min(cached, usage.inputTokens)
  return { ...usage, cacheReadTokens, inputTokens: usage.inputTokens - cacheReadTokens }
}

/** Reasoning is included in the output. */
function usageOf({ input, output }: Counts, raw: JsonObject): Usage {
  if (isMiscount(input) || isMiscount(output)) return { raw, disbelieved: 'implausible' }
  const usage: Usage = { raw }
  const inputTokens = tokenCount(input)
  if (inputTokens !== undefined) usage.inputTokens = inputTokens
  const written = tokenCount(output)
  if (written === undefined) return usage
  const thought = tokenCount(isObject(raw['tokens']) ? raw['tokens']['reasoning_tokens'] : undefined)
  if (thought !== undefined) usage.reasoningTokens = Math.min(thought, written)
  usage.outputTokens = written - (usage.reasoningTokens ?? 0)
  return usage
}

/** Searches and classifications do not occur in a model's answer. */
function markServices(usage: Usage, units: unknown): void {
  if (!isObject(units)) return
  markUnpricedCount(usage, 'search_units', units['search_units'])
  markUnpricedCount(usage, 'classifications', units['classifications'])
}
