import { paysSearches } from '@turnpike/billing'
import { isAlwaysOffered } from '@turnpike/dialects'
import { invalidRequest, type ContentBlock, type ModelRequest, type Tool } from '@turnpike/protocol'
import type { Candidate } from '../../candidates/candidate.ts'
import { memberOf } from './billed-units.ts'
import { servedToolsOf, findServedTool, wholeNumber } from './served-tools.ts'
import { findPaidPart, isVendors, paidRulesOf, type PaidRules } from '../paid-rules.ts'

/** A request on its way to a candidate. */
interface OutgoingRequest {
  /** What of the request goes out. */
  said: ModelRequest
  candidate: Candidate
  /** The vendor speaks the caller's format: all goes out as it was written. */
  isOwnFormat: boolean
}

/**
 * The path of a tool that the vendor runs and that nothing pays for; undefined: there is none.
 * @throws {GatewayError} 400 that names the bound without which nobody can hold for what a tool brings
 */
export function findUnpricedTool(going: OutgoingRequest, rules: PaidRules): string | undefined {
  if (rules.tools.length === 0) return undefined
  const { said, isOwnFormat } = going
  const { tools, messages } = said
  for (let index = 0; index < tools.length; index++) {
    const tool = tools[index]!
    if (tool.kind === 'function' && isVendors(tool.name)) return `tools[${index}].function.name`
    // What another format alone knows is refused or left out where it is translated.
    if (tool.kind !== 'raw' || (!isOwnFormat && tool.format !== undefined)) continue
    const dear = findPaidPart([tool.value], rules.tools, 'tools')
    if (dear === undefined || isPaid(tool, index, going) || isLeftOut(tool, said)) continue
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
 * Paths of the searches that are not offered to the model, since nobody pays for them: who offers them with
 * every request is better answered without than not at all.
 */
export function unpaidSearches(said: ModelRequest, candidate: Candidate): string[] {
  const rules = paidRulesOf(candidate.provider)
  if (rules === undefined || rules.tools.length === 0) return []
  return said.tools.flatMap((tool, index) => {
    if (tool.kind !== 'raw' || !isLeftOut(tool, said)) return []
    return isPaid(tool, index, { said, candidate, isOwnFormat: true }) ? [] : [`tools[${index}]`]
  })
}

/** One that the model is held to is no offer among others. */
function isLeftOut(tool: Tool, { toolChoice }: ModelRequest): boolean {
  return isAlwaysOffered(tool) && toolChoice?.type !== 'raw'
}

/** Whether a price of the model, or that of its input, pays for the tool. */
function isPaid(tool: Tool & { kind: 'raw' }, index: number, { said, candidate }: OutgoingRequest): boolean {
  const { prices, provider, model } = candidate
  const served = findServedTool(tool, servedToolsOf(provider))
  if (served === undefined || tool.format === undefined) return false
  const { chargedBy, brings, freeBeside, ofReasoning } = served
  if (ofReasoning === true && !model.supportedParameters.includes('reasoning')) return false
  if (chargedBy === 'web_search' && !paysSearches(prices.pricing)) return false
  if (brings === 'max_content_tokens') requireBounds(tool.value, index)
  return freeBeside === undefined || said.tools.some((other) => isAmong(other, freeBeside))
}

function isAmong(tool: Tool, types: readonly string[]): boolean {
  return tool.kind === 'raw' && types.includes(memberOf(tool.value, 'type') as string)
}

/** What pages hold is input, of which nobody knows how much there is. */
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
 * Whether a block of a conversation gives the model a tool that the vendor runs: such stand among the tools,
 * where they are held for.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
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

/** A tool without a type is a function of the caller's. */
function withType(tool: unknown): unknown {
  if (typeof tool !== 'object' || (memberOf(tool, 'type') ?? undefined) !== undefined) return tool
  return { ...tool, type: 'custom' }
}
