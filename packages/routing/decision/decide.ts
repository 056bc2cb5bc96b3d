import { tiers, type Tier } from '../tier.ts'
import { promptCacheMs, type Conversation } from './conversations.ts'
import { lackOf, type RouteNeeds, type RouteOption } from './needs.ts'

/** How many models a ranking has at most: the hold must cover the most expensive one. */
const maxRanked = 4

/** How many of one tier, if there are higher ones: the cheapest are often one vendor's and fail together. */
const maxOfTier = 2

export interface RouteQuestion {
  /** The tier that the prompt alone needs. */
  scored: Tier
  /**
   * The prompt says too little by itself ("and now in French"), so it continues at the conversation's tier.
   */
  leansOnConversation: boolean
  /** Tools have responded since the user's last message, so the turn continues. */
  withinTurn: boolean
  /** What is remembered of the conversation; undefined at its beginning. */
  conversation: Conversation | undefined
  /** Why this request needs a stronger model than the last one; undefined if there is no reason. */
  escalation: string | undefined
  needs: RouteNeeds
  options: readonly RouteOption[]
  /** Why the model cannot be used: the caller may not, or its vendor cannot; undefined if it can. */
  refusal: (option: RouteOption) => string | undefined
  /** The expected cost in pico-USD at this model, with this many input tokens from its cache. */
  expectedPico: (option: RouteOption, tier: Tier, cachedTokens: number) => bigint
  /** False while all its upstreams are in cooldown. */
  isHealthy: (option: RouteOption) => boolean
  /** Unix epoch milliseconds. */
  nowMs: number
}

/**
 * Why a conversation keeps its tier: a short remark means nothing by itself; the turn continues; the cached
 * prompt is worth more than a lower tier saves.
 */
export type StayReason = 'remark' | 'turn' | 'cache'

const keptBecause: Readonly<Record<StayReason, (tier: Tier) => string>> = {
  remark: (tier) => `a short remark: the conversation stays at ${tier}`,
  turn: (tier) => `the same request is still in progress at ${tier}`,
  cache: (tier) =>
    `the conversation stays at ${tier}: its cached prompt saves more than a cheaper model would`,
}

export interface RankedModel {
  model: string
  /** The tier that it is ranked for. */
  tier: Tier
  expectedPico: bigint
  healthy: boolean
}

export interface RouteDecision {
  /** The tier that the request is answered at: the chosen model's, if the wanted tier had none. */
  tier: Tier
  /** The models in the order to try them: the tier's cheapest first, then higher tiers; empty if none can. */
  ranking: RankedModel[]
  /** Why models were left out, by model. */
  left: ReadonlyMap<string, string>
  /** The tier that was chosen. If no model of it can take the request, `tier` differs. */
  wanted: Tier
  /** Why the conversation's tier was kept instead of the prompt's own; undefined if it was not. */
  kept: StayReason | undefined
  /** Further reasons besides the prompt's score, in words. */
  because: string[]
}

/**
 * Chooses the cheapest healthy model of the tier that can take the request. If the tier has none, goes up to
 * the next tier; goes down only if no higher tier has one either.
 */
export function decideRoute(question: RouteQuestion): RouteDecision {
  const left = new Map<string, string>()
  const able = question.options.filter((option) => {
    const lack = lackOf(option, question.needs) ?? question.refusal(option)
    if (lack !== undefined) left.set(option.model, lack)
    return lack === undefined
  })
  const because: string[] = []
  const kept = findStayReason(question, able)
  const wanted = chooseTier(question, kept, because)
  const ranking = rankingFrom(wanted, able, question, because)
  return { tier: ranking[0]?.tier ?? wanted, wanted, kept, ranking, left, because }
}

/** What keeps the conversation at its tier; undefined if the prompt's own tier may be used. */
function findStayReason(question: RouteQuestion, able: readonly RouteOption[]): StayReason | undefined {
  const { scored, conversation } = question
  if (conversation === undefined || scored === conversation.tier) return undefined
  if (question.leansOnConversation) return 'remark'
  if (!isBelow(scored, conversation.tier)) return undefined
  // The reason for an escalation, a stall or an answer sent back, applies to the rest of the turn as well.
  if (question.withinTurn) return 'turn'
  return worthLeaving(conversation, able, question) ? undefined : 'cache'
}

/** The prompt's own tier, unless the conversation requires another. */
function chooseTier(question: RouteQuestion, kept: StayReason | undefined, because: string[]): Tier {
  const { scored, conversation, escalation } = question
  const tier = kept === undefined ? scored : conversation!.tier
  if (kept !== undefined) because.push(keptBecause[kept](tier))
  if (escalation === undefined) return tier
  const from = conversation !== undefined && isBelow(tier, conversation.tier) ? conversation.tier : tier
  because.push(`one tier up: ${escalation}`)
  return tiers[Math.min(tiers.indexOf(from) + 1, tiers.length - 1)]!
}

/** Whether the lower tier's cheapest model costs less than continuing with the cached prompt. */
function worthLeaving(
  conversation: Conversation,
  able: readonly RouteOption[],
  question: RouteQuestion,
): boolean {
  const current = able.find((option) => option.model === conversation.model)
  if (current === undefined || !question.isHealthy(current)) return true
  const { scored } = question
  const stayingPico = question.expectedPico(current, scored, cachedTokens(current, question))
  return able.some(
    (option) =>
      option.tiers.includes(scored) &&
      question.isHealthy(option) &&
      question.expectedPico(option, scored, 0) < stayingPico,
  )
}

function rankingFrom(
  wanted: Tier,
  able: readonly RouteOption[],
  question: RouteQuestion,
  because: string[],
): RankedModel[] {
  const from = tiers.indexOf(wanted)
  const upwards = rankTiers(tiers.slice(from), able, question)
  const ranked = upwards.length > 0 ? upwards : rankTiers(tiers.slice(0, from).toReversed(), able, question)
  const reached = ranked[0]?.tier
  if (reached !== undefined && reached !== wanted)
    because.push(`no model of tier ${wanted} is available: using ${reached}`)
  return shortenRanking(ranked)
}

/** Keeps the first models, with room for higher tiers if there are any. */
function shortenRanking(ranked: readonly RankedModel[]): RankedModel[] {
  const ofTier = new Map<Tier, number>()
  const first = ranked.filter(({ tier }) => {
    const count = (ofTier.get(tier) ?? 0) + 1
    ofTier.set(tier, count)
    return count <= maxOfTier
  })
  const chosen = new Set(first.slice(0, maxRanked))
  for (const model of ranked) if (chosen.size < maxRanked) chosen.add(model)
  return ranked.filter((model) => chosen.has(model))
}

/** The models of these tiers, tier by tier, the cheapest first; models in cooldown go to the end. */
function rankTiers(
  order: readonly Tier[],
  able: readonly RouteOption[],
  question: RouteQuestion,
): RankedModel[] {
  const seen = new Set<string>()
  const ranked: RankedModel[] = []
  for (const tier of order) {
    const models = able.filter((option) => option.tiers.includes(tier) && !seen.has(option.model))
    for (const { model } of models) seen.add(model)
    ranked.push(...models.map((option) => rankOption(option, tier, question)).toSorted(byCost))
  }
  return [...ranked.filter(({ healthy }) => healthy), ...ranked.filter(({ healthy }) => !healthy)]
}

function rankOption(option: RouteOption, tier: Tier, question: RouteQuestion): RankedModel {
  return {
    model: option.model,
    tier,
    expectedPico: question.expectedPico(option, tier, cachedTokens(option, question)),
    healthy: question.isHealthy(option),
  }
}

/**
 * How much of the conversation the vendor may still have cached: only for its last model, and not for long.
 */
function cachedTokens({ model }: RouteOption, { conversation, needs, nowMs }: RouteQuestion): number {
  if (conversation?.model !== model || nowMs - conversation.usedAtMs > promptCacheMs) return 0
  return Math.min(conversation.inputTokens, needs.inputTokens)
}

function byCost(a: RankedModel, b: RankedModel): number {
  return a.expectedPico < b.expectedPico ? -1 : a.expectedPico > b.expectedPico ? 1 : 0
}

function isBelow(tier: Tier, other: Tier): boolean {
  return tiers.indexOf(tier) < tiers.indexOf(other)
}
