import { tiers, type Tier } from '../tier.ts'
import { promptCacheMs, type Conversation } from './conversations.ts'
import { lackOf, type RouteNeeds, type RouteOption } from './needs.ts'

/** Models that a request may be sent to at most, the chosen one included: a hold must cover the dearest. */
const maxRanked = 4

export interface RouteQuestion {
  /** What the prompt alone asks for. */
  scored: Tier
  /** The prompt says too little by itself ("and now in French"): it goes on where the conversation was. */
  leansOnConversation: boolean
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
  const wanted = wantedTier(question, able, because)
  const ranking = rankingFrom(wanted, able, question, because)
  return { tier: ranking[0]?.tier ?? wanted, ranking, left, because }
}

/** The prompt's own tier, unless the conversation says otherwise. */
function wantedTier(question: RouteQuestion, able: readonly RouteOption[], because: string[]): Tier {
  const { scored, conversation, escalation } = question
  let tier = scored
  if (conversation !== undefined && tier !== conversation.tier) {
    if (question.leansOnConversation) {
      tier = conversation.tier
      because.push(`a short remark keeps the conversation's ${tier}`)
    } else if (isBelow(tier, conversation.tier) && !worthLeaving(conversation, able, question)) {
      tier = conversation.tier
      because.push(`the conversation stays at ${tier}: its cached prompt is worth more than the saving`)
    }
  }
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
  const upwards = rankedTiers(tiers.slice(from), able, question)
  const ranked = upwards.length > 0 ? upwards : rankedTiers(tiers.slice(0, from).toReversed(), able, question)
  const reached = ranked[0]?.tier
  if (reached !== undefined && reached !== wanted)
    because.push(`no model of ${wanted} can take it now: ${reached} answers`)
  return ranked.slice(0, maxRanked)
}

/** The models of these tiers, tier by tier, the cheapest first; all that rest stand at the end. */
function rankedTiers(
  order: readonly Tier[],
  able: readonly RouteOption[],
  question: RouteQuestion,
): RankedModel[] {
  const seen = new Set<string>()
  const ranked: RankedModel[] = []
  for (const tier of order) {
    const models = able.filter((option) => option.tiers.includes(tier) && !seen.has(option.model))
    for (const { model } of models) seen.add(model)
    ranked.push(...models.map((option) => weighed(option, tier, question)).toSorted(byCost))
  }
  return [...ranked.filter(({ healthy }) => healthy), ...ranked.filter(({ healthy }) => !healthy)]
}

function weighed(option: RouteOption, tier: Tier, question: RouteQuestion): RankedModel {
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
