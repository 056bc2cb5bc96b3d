import { tiers, type Tier } from '../tier.ts'
import { promptCacheMs, type Conversation } from './conversations.ts'
import { lackOf, type RouteNeeds, type RouteOption } from './needs.ts'

/** Models that a request may be sent to at most, the chosen one included: a hold must cover the dearest. */
const maxRanked = 4

/** Of one tier, while there are others above: the cheapest ones are often one vendor's, and fail together. */
const maxOfTier = 2

export interface RouteQuestion {
  /** What the prompt alone asks for. */
  scored: Tier
  /** The prompt says too little by itself ("and now in French"): it goes on where the conversation was. */
  leansOnConversation: boolean
  /** Tools have answered since the user's last message: it is still the same ask. */
  withinTurn: boolean
  /** What is remembered of the conversation; undefined at its beginning. */
  conversation: Conversation | undefined
  /** Why this request must be answered by more than the last one was; undefined where nothing says so. */
  escalation: string | undefined
  needs: RouteNeeds
  options: readonly RouteOption[]
  /** Why the caller may not use a model, or its vendor cannot be asked so; undefined where neither. */
  refusal: (option: RouteOption) => string | undefined
  /** Pico-USD that the request is expected to cost there, with so many input tokens out of its cache. */
  expectedPico: (option: RouteOption, tier: Tier, cachedTokens: number) => bigint
  /** False while all its upstreams rest. */
  isHealthy: (option: RouteOption) => boolean
  /** Unix epoch milliseconds. */
  nowMs: number
}

/**
 * Why a conversation keeps its tier: a short remark means nothing by itself; the ask is still being worked
 * on; the cached prompt is worth more than what a lower tier saves.
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
  /** The tier as whose model it stands here. */
  tier: Tier
  expectedPico: bigint
  healthy: boolean
}

export interface RouteDecision {
  /** The tier that the request is answered at; of the chosen model where that one had none. */
  tier: Tier
  /** Whom to ask, in order: the cheapest of the tier first, then upwards. Empty: nobody can take it. */
  ranking: RankedModel[]
  /** Why models were left out, by model. */
  left: ReadonlyMap<string, string>
  /** The tier that was wanted: where no model of it can take the request, `tier` is another one. */
  wanted: Tier
  /** Why the conversation's tier was kept in place of the prompt's own; undefined where it was not. */
  kept: StayReason | undefined
  /** What besides the prompt's score led there, in words. */
  because: string[]
}

/**
 * Who answers: the cheapest healthy model of the tier among those that can take the request. A tier of which
 * none can is passed over upwards; only where nobody above can either, one below answers.
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

/** What keeps the conversation at its tier; undefined: the prompt's own is free to be taken. */
function findStayReason(question: RouteQuestion, able: readonly RouteOption[]): StayReason | undefined {
  const { scored, conversation } = question
  if (conversation === undefined || scored === conversation.tier) return undefined
  if (question.leansOnConversation) return 'remark'
  if (!isBelow(scored, conversation.tier)) return undefined
  // What took the turn up, a stall or an answer sent back, is true of the rest of it as well.
  if (question.withinTurn) return 'turn'
  return worthLeaving(conversation, able, question) ? undefined : 'cache'
}

/** The prompt's own tier, unless the conversation says otherwise. */
function chooseTier(question: RouteQuestion, kept: StayReason | undefined, because: string[]): Tier {
  const { scored, conversation, escalation } = question
  const tier = kept === undefined ? scored : conversation!.tier
  if (kept !== undefined) because.push(keptBecause[kept](tier))
  if (escalation === undefined) return tier
  const from = conversation !== undefined && isBelow(tier, conversation.tier) ? conversation.tier : tier
  because.push(`one tier up: ${escalation}`)
  return tiers[Math.min(tiers.indexOf(from) + 1, tiers.length - 1)]!
}

/** Whether the cheapest model of the lower tier costs less than going on with the prompt that is cached. */
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

/** The first ones, with room for higher tiers among them where there are such. */
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

/** The models of these tiers, tier by tier, the cheapest first; all that rest stand at the end. */
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

/** What the vendor may still have of the conversation: of its last model alone, and not for long. */
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
