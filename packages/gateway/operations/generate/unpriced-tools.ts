import { paysSearches } from '@turnpike/billing'
import { isAlwaysOffered } from '@turnpike/dialects'
import { invalidRequest, type ContentBlock, type ModelRequest, type Tool } from '@turnpike/protocol'
import type { Candidate } from '../../candidates/candidate.ts'
import { memberOf } from './billed-units.ts'
import { servedToolsOf, findServedTool, wholeNumber } from './served-tools.ts'
import { findPaidPart, isVendors, paidRulesOf, type PaidRules } from '../paid-rules.ts'

/** A request on its way to a candidate. */
interface OutgoingRequest {
  /** The part of the request that is sent. */
  sent: ModelRequest
  candidate: Candidate
  /** The vendor speaks the caller's format, so everything is sent as it was written. */
  isOwnFormat: boolean
}

/**
 * The path of a vendor-run tool that no price covers; undefined if there is none.
 * @throws {GatewayError} 400 naming a missing limit, without which a tool's input cannot be held for
 */
export function findUnpricedTool(going: OutgoingRequest, rules: PaidRules): string | undefined {
  if (rules.tools.length === 0) return undefined
  const { sent, isOwnFormat } = going
  const { tools, messages } = sent
  for (let index = 0; index < tools.length; index++) {
    const tool = tools[index]!
    if (tool.kind === 'function' && isVendors(tool.name)) return `tools[${index}].function.name`
    // Tools that only exist in another format are rejected or dropped by the translation.
    if (tool.kind !== 'raw' || (!isOwnFormat && tool.format !== undefined)) continue
    const dear = findPaidPart([tool.value], rules.tools, 'tools')
    if (dear === undefined || isPaid(tool, index, going) || isLeftOut(tool, sent)) continue
    return dear.replace('tools[0]', `tools[${index}]`)
  }
  if (!isOwnFormat) return undefined
  for (let index = 0; index < messages.length; index++) {
    const { content } = messages[index]!
    const at = content.findIndex((block) => addsUnpriced(block, rules))
    if (at !== -1) return `messages[${index}].content[${at}]`
  }
  return undefined
}

/**
 * The paths of searches to withhold from the model, since no price covers them. Clients that offer search
 * with every request are better served without it than not at all.
 */
export function unpaidSearches(sent: ModelRequest, candidate: Candidate): string[] {
  const rules = paidRulesOf(candidate.provider)
  if (rules === undefined || rules.tools.length === 0) return []
  return sent.tools.flatMap((tool, index) => {
    if (tool.kind !== 'raw' || !isLeftOut(tool, sent)) return []
    return isPaid(tool, index, { sent, candidate, isOwnFormat: true }) ? [] : [`tools[${index}]`]
  })
}

/** A tool that the model must use cannot be left out. */
function isLeftOut(tool: Tool, { toolChoice }: ModelRequest): boolean {
  return isAlwaysOffered(tool) && toolChoice?.type !== 'raw'
}

/** Whether a price of the model, or its input price, covers the tool. */
function isPaid(tool: Tool & { kind: 'raw' }, index: number, { sent, candidate }: OutgoingRequest): boolean {
  const { prices, provider, model } = candidate
  const served = findServedTool(tool, servedToolsOf(provider))
  if (served === undefined || tool.format === undefined) return false
  const { chargedBy, brings, freeBeside, ofReasoning } = served
  if (ofReasoning === true && !model.supportedParameters.includes('reasoning')) return false
  if (chargedBy === 'web_search' && !paysSearches(prices.pricing)) return false
  if (brings === 'max_content_tokens') requireBounds(tool.value, index)
  return freeBeside === undefined || sent.tools.some((other) => isAmong(other, freeBeside))
}

function isAmong(tool: Tool, types: readonly string[]): boolean {
  return tool.kind === 'raw' && types.includes(memberOf(tool.value, 'type') as string)
}

/** Fetched pages count as input, whose size is unknown without limits. */
function requireBounds(tool: unknown, index: number): void {
  for (const name of ['max_uses', 'max_content_tokens']) {
    const path = `tools[${index}].${name}`
    if (wholeNumber(memberOf(tool, name)) === undefined)
      throw invalidRequest(
        path,
        `${path} is required: expected a whole number, to hold credit for what the tool may read.`,
      )
  }
}

/**
 * Whether a block in the conversation adds a vendor-run tool. Such tools must be among the request's tools,
 * where they are held for. https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
 */
function addsUnpriced(block: ContentBlock, rules: PaidRules): boolean {
  if (block.kind !== 'raw') return false
  const changes = memberOf(block.value, 'tool_changes')
  const all: unknown[] = Array.isArray(changes) ? [block.value, ...(changes as unknown[])] : [block.value]
  return all.some((change) => {
    const added = memberOf(change, 'tool')
    const definition = memberOf(added, 'definition') ?? undefined
    return definition !== undefined && findPaidPart([withType(definition)], rules.tools, '') !== undefined
  })
}

/** A tool without a type is one of the caller's functions. */
function withType(tool: unknown): unknown {
  if (typeof tool !== 'object' || (memberOf(tool, 'type') ?? undefined) !== undefined) return tool
  return { ...tool, type: 'custom' }
}
