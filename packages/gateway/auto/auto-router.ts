import { rate, type PriceTable } from '@turnpike/billing'
import { dialects, refuseUnsupported, type DialectName } from '@turnpike/dialects'
import { GatewayError, invalidRequest, type ModelRequest } from '@turnpike/protocol'
import {
  Conversations,
  decideRoute,
  expectedOutputTokens,
  promptToScore,
  scorePrompt,
  tierFor,
  tiers,
  type Profile,
  type PromptScore,
  type RouteDecision,
  type RouteNeeds,
  type Tier,
} from '@turnpike/routing'
import type { Catalog } from '@turnpike/vendors'
import type { Candidate, CandidateBook } from '../candidates.ts'
import { conversationId } from './conversation-id.ts'
import { needsOf } from './needs-of.ts'
import { routeOptions, type ConfiguredTiers, type ServedOption } from './route-options.ts'
import { tierServed } from './route-record.ts'
import { isStalled } from './stall.ts'

/** Of a request by which prices are compared without one. */
const usualInputTokens = 2_000

export interface AutoSettings {
  tiers: ConfiguredTiers
  /** How much less likely to succeed than the best a tier may be, from 0 to 1. */
  deltas: Readonly<Record<Profile, number>>
  /** What requests would have been sent to otherwise; null: the dearest model of the highest tier. */
  baselineModel: string | null
}

/** A request that leaves the model to us. */
export interface AutoRequest {
  profile: Profile
  request: ModelRequest
  bodyBytes: number
  /** Whose conversations these are: a key, or whoever asks for an explanation. */
  keyId: string
  mayUse: (model: string) => boolean
  /** The request whose answer this one finds wanting. */
  retryOf: string | undefined
  nowMs: number
}

/** Where a request goes, and all that led there. */
export interface AutoRoute {
  profile: Profile
  score: PromptScore
  scored: Tier
  decision: RouteDecision
  /** Upstreams and keys of the ranked models, in the order in which they are tried. */
  candidates: readonly Candidate[]
  conversation: string
  needs: RouteNeeds
}

/** Chooses models for requests that name none; remembers what it chose for conversations that go on. */
export class AutoRouter {
  readonly #settings: AutoSettings
  readonly #isHealthy: (candidates: readonly Candidate[]) => boolean
  readonly #conversations = new Conversations()
  #options = new Map<string, ServedOption>()
  #pricesOf: (model: string) => PriceTable | undefined = () => undefined
  #baseline: PriceTable | undefined

  constructor(settings: AutoSettings, isHealthy: (candidates: readonly Candidate[]) => boolean) {
    this.#settings = settings
    this.#isHealthy = isHealthy
  }

  /** Takes over models and prices that came into force. */
  use(catalog: Catalog, candidates: CandidateBook): void {
    const options = routeOptions(this.#settings.tiers, catalog, candidates)
    this.#options = new Map(options.map((option) => [option.model, option]))
    this.#pricesOf = (model) => {
      const found = catalog.find(model)
      return found === undefined ? undefined : candidates.of(found)[0]?.prices
    }
    const { baselineModel } = this.#settings
    this.#baseline =
      baselineModel === null ? dearest(options)?.candidates[0]!.prices : this.#pricesOf(baselineModel)
  }

  /** The models that may be chosen, with the tiers that they serve. */
  get options(): Iterable<ServedOption> {
    return this.#options.values()
  }

  /**
   * The prices that savings are reckoned against: of the account's baseline model, or else the operator's.
   * Undefined where there is none.
   */
  baselinePrices(named: string | null): PriceTable | undefined {
    return (named === null ? undefined : this.#pricesOf(named)) ?? this.#baseline
  }

  /** @throws {GatewayError} 400 where no model can take the request, 503 where there is none at all */
  route(asked: AutoRequest): AutoRoute {
    if (this.#options.size === 0) throw noModels()
    const prompt = promptToScore(asked.request.messages)
    const score = scorePrompt(prompt)
    const scored = tierFor(score, this.#settings.deltas[asked.profile])
    const conversation = conversationId(asked.keyId, asked.request)
    const needs = needsOf(asked.request, asked.bodyBytes)
    const decision = decideRoute({
      scored,
      leansOnConversation: prompt.anaphoric,
      conversation: this.#conversations.find(conversation),
      escalation: escalationOf(asked),
      needs,
      options: [...this.#options.values()],
      refusal: this.#refusals(asked),
      expectedPico: (option, tier, cached) => this.#expectedPico(option.model, tier, cached, needs),
      isHealthy: ({ model }) => this.#isHealthy(this.#options.get(model)!.candidates),
      nowMs: asked.nowMs,
    })
    if (decision.ranking.length === 0) throw nobodyCan(decision)
    const candidates = decision.ranking.flatMap(({ model }) => this.#options.get(model)!.candidates)
    return { profile: asked.profile, score, scored, decision, candidates, conversation, needs }
  }

  /** A model has answered: the conversation goes on with it. */
  answered(route: AutoRoute, model: string, nowMs: number): void {
    const { inputTokens } = route.needs
    const tier = tierServed(route, model)
    this.#conversations.remember(route.conversation, { tier, model, inputTokens, usedAtMs: nowMs })
  }

  #expectedPico(model: string, tier: Tier, cachedTokens: number, needs: RouteNeeds): bigint {
    const [candidate] = this.#options.get(model)!.candidates
    const usage = {
      inputTokens: needs.inputTokens - cachedTokens,
      cacheReadTokens: cachedTokens,
      outputTokens: Math.min(expectedOutputTokens[tier], needs.outputTokens),
    }
    return rate(usage, candidate!.prices)
  }

  /** Why a model is not for this request: the key's list, or a field that its vendor's format cannot say. */
  #refusals({ request, mayUse }: AutoRequest): (option: { model: string }) => string | undefined {
    const byDialect = new Map<DialectName, string | undefined>()
    return ({ model }) => {
      if (!mayUse(model)) return 'the key may not use it'
      const { dialect } = this.#options.get(model)!.candidates[0]!.provider
      if (!byDialect.has(dialect)) byDialect.set(dialect, unsayable(request, dialect))
      return byDialect.get(dialect)
    }
  }
}

/** Of the highest tier that there are models of, the dearest for an answer of usual length. */
function dearest(options: readonly ServedOption[]): ServedOption | undefined {
  const tier = tiers.findLast((one) => options.some((option) => option.tiers.includes(one)))
  if (tier === undefined) return undefined
  const usual = { inputTokens: usualInputTokens, outputTokens: expectedOutputTokens[tier] }
  const costPico = (option: ServedOption): bigint => rate(usual, option.candidates[0]!.prices)
  return options
    .filter((option) => option.tiers.includes(tier))
    .reduce((most, option) => (costPico(option) > costPico(most) ? option : most))
}

function unsayable(request: ModelRequest, dialect: DialectName): string | undefined {
  if (dialect === 'openai-chat') return undefined
  try {
    refuseUnsupported(request, dialects[dialect].fields, 'it')
    return undefined
  } catch (error) {
    if (error instanceof GatewayError) return `its vendor cannot be asked for ${error.param ?? 'this'}`
    throw error
  }
}

function escalationOf({ request, retryOf }: AutoRequest): string | undefined {
  if (retryOf !== undefined) return 'the last answer was sent back (metadata.retry_of)'
  return isStalled(request) ? 'the same tool call failed three times' : undefined
}

function noModels(): GatewayError {
  const message =
    'Auto-routing has no model to choose from: the operator must name some in routing.auto.tiers, or as ' +
    'tiers of models.'
  return new GatewayError('service_unavailable', message, { param: 'model' })
}

function nobodyCan({ left }: RouteDecision): GatewayError {
  const reasons = [...left].slice(0, 5).map(([model, reason]) => `${model} ${reason}`)
  return invalidRequest('model', `No model of auto-routing can take this request: ${reasons.join('; ')}.`)
}
