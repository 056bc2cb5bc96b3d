import type { Tool } from '@turnpike/protocol'
import type { Provider, ServedTool } from '@turnpike/vendors'
import { memberOf } from './billed-units.ts'

/** What the tools that a vendor runs may make of one request. */
export interface ServedUse {
  /** Searches that have a price of their own. */
  searches: number
  /** How often the model may read its input: once, and again after each round of tools. */
  readings: number
  /** The same as it may be at most, where fewer are reckoned with. */
  mostReadings: number
  /** Input tokens that tools bring, all readings together. */
  broughtTokens: number
  /** They may bring a document that no bound of theirs holds for: all that the context has room for. */
  bringsDocuments: boolean
}

const none: ServedUse = {
  searches: 0,
  readings: 1,
  mostReadings: 1,
  broughtTokens: 0,
  bringsDocuments: false,
}

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
export function servedToolsOf(provider: Provider): readonly ServedTool[] {
  let served = known.get(provider)
  if (served === undefined) {
    served = provider.paidFields.find(({ field }) => field === 'tools')?.served ?? []
    known.set(provider, served)
  }
  return served
}

/** The entry of a tool that the provider runs; undefined: it is the caller's own, or not paid for. */
export function findServedTool(tool: Tool, served: readonly ServedTool[]): ServedTool | undefined {
  if (tool.kind !== 'raw') return undefined
  const type = memberOf(tool.value, 'type')
  return typeof type === 'string' ? served.find(({ types }) => types.includes(type)) : undefined
}

/**
 * What the vendor may do for this request beside one reading of it.
 * @param most uses of each tool, where they were lowered
 * @param named uses that the caller allows of tools without a bound of their own
 */
export function servedUseOf(
  tools: readonly Tool[],
  provider: Provider,
  most = mostUses,
  named = mostRounds,
): ServedUse {
  if (tools.length === 0) return none
  const served = servedToolsOf(provider)
  if (served.length === 0) return none
  let use = none
  for (const tool of tools) {
    const entry = findServedTool(tool, served)
    if (entry !== undefined)
      use = withTool(use, entry, { tool: (tool as { value: unknown }).value, most, named })
  }
  return use
}

function withTool(
  before: ServedUse,
  entry: ServedTool,
  { tool, most, named }: { tool: unknown; most: number; named: number },
): ServedUse {
  const { chargedBy, brings, runsCode, reckonedRounds = mostRounds } = entry
  const isUnbounded = brings === undefined || entry.unbounded === true
  const uses = isUnbounded ? mostRounds : Math.min(usesOf(tool, named), most)
  const rounds = runsCode === true ? mostRounds : Math.min(uses, reckonedRounds)
  const fetched = typeof brings === 'string'
  const each = (fetched ? wholeNumber(memberOf(tool, brings)) : brings) ?? 0
  return {
    searches: before.searches + (chargedBy === 'web_search' ? uses : 0),
    readings: Math.min(mostRounds, before.readings - 1 + rounds) + 1,
    mostReadings: mostRounds + 1,
    // What comes in round by round is read half as often as what was there before.
    broughtTokens: before.broughtTokens + Math.ceil((uses * each * (rounds + 1)) / 2),
    bringsDocuments: before.bringsDocuments || (fetched && uses > 0),
  }
}

function usesOf(tool: unknown, named = mostRounds): number {
  return Math.min(wholeNumber(memberOf(tool, 'max_uses')) ?? named, mostUses)
}

/**
 * Of the tools that the provider runs and that take a bound of uses, the most that one of them may be used.
 */
export function mostUsesOf(tools: readonly Tool[], provider: Provider): number {
  let most = 0
  const served = tools.length === 0 ? [] : servedToolsOf(provider)
  if (served.length === 0) return most
  for (const tool of tools)
    if (takesUses(tool, served)) most = Math.max(most, usesOf((tool as { value: unknown }).value))
  return most
}

/** The tools with no more uses of those that the provider runs; the same list where all have so few. */
export function withUses(tools: Tool[], provider: Provider, most: number): Tool[] {
  if (mostUsesOf(tools, provider) <= most) return tools
  const served = servedToolsOf(provider)
  return tools.map((tool) => {
    if (tool.kind !== 'raw' || !takesUses(tool, served) || usesOf(tool.value) <= most) return tool
    return { ...tool, value: { ...(tool.value as object), max_uses: most } }
  })
}

function takesUses(tool: Tool, served: readonly ServedTool[]): boolean {
  const entry = findServedTool(tool, served)
  return entry?.brings !== undefined && entry.unbounded !== true
}

/** Undefined for anything else than a whole number that is not negative. */
export function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
