import type { Tool } from '@turnpike/protocol'
import type { Provider, ServedTool } from '@turnpike/vendors'
import { memberOf } from './billed-units.ts'

/** What the vendor-run tools may add to one request. */
export interface ServedUse {
  /** Searches that have a price of their own. */
  searches: number
  /** How often the model is expected to read its input: once, and again after each round of tools. */
  readings: number
  /** The most readings possible, if more than expected. */
  mostReadings: number
  /** Input tokens that tools add, over all readings together. */
  broughtTokens: number
  /** A tool may return a document without a limit on its size, up to the whole context. */
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
 * After this many rounds the vendor returns control to the caller (`pause_turn`). A tool without its own
 * limit is expected once per round.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools
 */
const mostRounds = 10

/** The most uses of a tool to hold for. More are charged if the credit covers them. */
const mostUses = 100

/** By provider: the tools that it runs. */
const known = new WeakMap<Provider, readonly ServedTool[]>()

/** Billed tools that this provider runs. */
export function servedToolsOf(provider: Provider): readonly ServedTool[] {
  let served = known.get(provider)
  if (served === undefined) {
    served = provider.paidFields.find(({ field }) => field === 'tools')?.served ?? []
    known.set(provider, served)
  }
  return served
}

/** The entry of a tool that the provider runs; undefined if it is the caller's own, or not billed. */
export function findServedTool(tool: Tool, served: readonly ServedTool[]): ServedTool | undefined {
  if (tool.kind !== 'raw') return undefined
  const type = memberOf(tool.value, 'type')
  return typeof type === 'string' ? served.find(({ types }) => types.includes(type)) : undefined
}

/**
 * What the vendor may do for this request besides reading it once.
 * @param most uses of each tool, if they were lowered
 * @param named uses that the caller allows of tools without a limit of their own
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
    // What is added in each round is read, on average, half as often as what was there before.
    broughtTokens: before.broughtTokens + Math.ceil((uses * each * (rounds + 1)) / 2),
    bringsDocuments: before.bringsDocuments || (fetched && uses > 0),
  }
}

function usesOf(tool: unknown, named = mostRounds): number {
  return Math.min(wholeNumber(memberOf(tool, 'max_uses')) ?? named, mostUses)
}

/** The highest number of uses allowed for any of the provider's tools with a use limit. */
export function mostUsesOf(tools: readonly Tool[], provider: Provider): number {
  let most = 0
  const served = tools.length === 0 ? [] : servedToolsOf(provider)
  if (served.length === 0) return most
  for (const tool of tools)
    if (takesUses(tool, served)) most = Math.max(most, usesOf((tool as { value: unknown }).value))
  return most
}

/** Lowers the use limits of the provider's tools; returns the same list if none is higher. */
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

/** Undefined for anything but a non-negative integer. */
export function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
