import type { Tool } from '@turnpike/protocol'
import type { Provider, ServedTool } from '@turnpike/vendors'
import { memberOf } from '../operations/generate/billed-units.ts'

/** What the tools that a vendor runs may make of one request. */
export interface ServedUse {
  /** Searches that have a price of their own. */
  searches: number
  /** How often the model may read its input: once, and again after each round of tools. */
  readings: number
  /** Input tokens that tools bring, all readings together. */
  broughtTokens: number
  /** They may bring a document that no bound of theirs holds for: all that the context has room for. */
  bringsDocuments: boolean
}

const none: ServedUse = { searches: 0, readings: 1, broughtTokens: 0, bringsDocuments: false }

/**
 * After so many rounds the vendor gives the turn back to the caller (`pause_turn`); a tool without a bound of
 * its own is reckoned with one use in each.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools
 */
const mostRounds = 10

/** What is set aside for: at most `mostUses` of a tool, more are charged where the credit covers them. */
const mostUses = 100

/** By provider: the tools that it runs. */
const known = new WeakMap<Provider, readonly ServedTool[]>()

/** Tools that this provider runs, and that are paid for. */
export function servedBy(provider: Provider): readonly ServedTool[] {
  let served = known.get(provider)
  if (served === undefined) {
    served = provider.paidFields.find(({ field }) => field === 'tools')?.served ?? []
    known.set(provider, served)
  }
  return served
}

/** The entry of a tool that the provider runs; undefined: it is the caller's own, or not paid for. */
export function servedTool(tool: Tool, served: readonly ServedTool[]): ServedTool | undefined {
  if (tool.kind !== 'raw') return undefined
  const type = memberOf(tool.value, 'type')
  return typeof type === 'string' ? served.find(({ types }) => types.includes(type)) : undefined
}

/** What the vendor may do for this request beside one reading of it. */
export function servedUse(tools: readonly Tool[], provider: Provider): ServedUse {
  if (tools.length === 0) return none
  const served = servedBy(provider)
  if (served.length === 0) return none
  let use = none
  for (const tool of tools) {
    const entry = servedTool(tool, served)
    if (entry !== undefined) use = withTool(use, entry, (tool as { value: unknown }).value)
  }
  return use
}

function withTool(before: ServedUse, { chargedBy, brings, runsCode }: ServedTool, tool: unknown): ServedUse {
  const uses = brings === undefined ? mostRounds : usesOf(tool)
  const rounds = runsCode === true ? mostRounds : Math.min(uses, mostRounds)
  const fetched = brings === 'max_content_tokens'
  const each = (fetched ? wholeNumber(memberOf(tool, brings)) : brings) ?? 0
  return {
    searches: before.searches + (chargedBy === 'web_search' ? uses : 0),
    readings: Math.min(mostRounds, before.readings - 1 + rounds) + 1,
    // What comes in round by round is read half as often as what was there before.
    broughtTokens: before.broughtTokens + Math.ceil((uses * each * (rounds + 1)) / 2),
    bringsDocuments: before.bringsDocuments || (fetched && uses > 0),
  }
}

function usesOf(tool: unknown): number {
  return Math.min(wholeNumber(memberOf(tool, 'max_uses')) ?? mostRounds, mostUses)
}

/** Undefined for anything else than a whole number that is not negative. */
export function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
