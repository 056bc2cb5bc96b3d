import type { Usage } from '@turnpike/protocol'
import { markUnpricedCount, memberOf, setSearches, tierNamed } from '../../answers/paid-services.ts'
import { isMiscount, tokenCount as count } from '../../answers/token-count.ts'

/**
 * Splits a response's counts, in which details are part of their totals, into disjoint buckets
 * (https://platform.openai.com/docs/api-reference/responses/object). Undefined if there are no usable totals,
 * so that a missing count is not read as zero.
 * @param services the type that each of the answer's items is billed as
 */
export function parseUsage(
  response: Record<string, unknown>,
  services: readonly unknown[],
): Usage | undefined {
  const { usage: raw } = response
  if (typeof raw !== 'object' || raw === null) return undefined
  const [input, output] = [memberOf(raw, 'input_tokens'), memberOf(raw, 'output_tokens')]
  if (isMiscount(input) || isMiscount(output)) return { raw, disbelieved: 'implausible' }
  const [prompt, completion] = [count(input), count(output)]
  if (prompt === undefined || completion === undefined) return undefined
  // Neither prompt nor answer: some vendors send zeros while they do not know the counts yet.
  if (prompt === 0 && completion === 0) return undefined
  const usage: Usage = { raw }
  parseInput(usage, prompt, memberOf(raw, 'input_tokens_details'))
  const reasoning = count(memberOf(memberOf(raw, 'output_tokens_details'), 'reasoning_tokens'))
  if (reasoning !== undefined) usage.reasoningTokens = Math.min(reasoning, completion)
  usage.outputTokens = completion - (usage.reasoningTokens ?? 0)
  parseServices(usage, raw, response, services)
  const tier = tierNamed(response['service_tier'])
  if (tier !== undefined) usage.serviceTier = tier
  return usage
}

function parseInput(usage: Usage, prompt: number, details: unknown): void {
  let rest = prompt
  const part = (name: string): number | undefined => {
    const tokens = count(memberOf(details, name))
    if (tokens === undefined) return undefined
    const taken = Math.min(tokens, rest)
    rest -= taken
    return taken
  }
  const read = part('cached_tokens')
  const written = part('cache_write_tokens')
  if (read !== undefined) usage.cacheReadTokens = read
  if (written !== undefined) usage.cacheWriteTokens = written
  usage.inputTokens = rest
}

/** Items of tools that a vendor ran and bills separately. */
const servedItems: ReadonlySet<unknown> = new Set([
  'code_interpreter_call',
  'file_search_call',
  'image_generation_call',
  'mcp_call',
  'shell_call_output',
])

/**
 * An item's type. Of the search tool's steps, only searches are billed as one; opening and searching pages
 * only costs tokens (https://developers.openai.com/api/docs/guides/tools-web-search).
 */
export function billedTypeOf(item: unknown): unknown {
  const type = memberOf(item, 'type')
  if (type !== 'web_search_call') return type
  const step = memberOf(memberOf(item, 'action'), 'type')
  return typeof step === 'string' && step !== 'search' ? 'web_page' : type
}

/** What is billed besides tokens, from the vendor's counts or, without those, from its items. */
function parseServices(
  usage: Usage,
  raw: object,
  response: Record<string, unknown>,
  services: readonly unknown[],
): void {
  const searched = services.filter((service) => service === 'web_search_call').length
  const reportedSearches =
    count(memberOf(memberOf(response['tool_usage'], 'web_search'), 'num_requests')) ?? 0
  const searches = Math.max(searched, reportedSearches)
  if (searches > 0) setSearches(usage, searches)
  const served = services.filter((service) => servedItems.has(service)).length
  const run = count(memberOf(raw, 'num_server_side_tools_used')) ?? 0
  markUnpricedCount(usage, 'server_tools', Math.max(served, run))
}
