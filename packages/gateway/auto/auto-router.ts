import { rate, type PriceTable } from '@turnpike/billing'
import {
  generateFieldRules,
  refuseUnsupported,
  vendorFormats,
  withoutUnsupported,
  type FormatName,
} from '@turnpike/dialects'
import type { AccountVendorKeys } from '@turnpike/identity'
import { GatewayError, invalidRequest, type ModelRequest } from '@turnpike/protocol'
import {
  Conversations,
  decideRoute,
  expectedOutputTokens,
  promptToScore,
  toCorrection,
  scorePrompt,
  tierFor,
  tiers,
  type Profile,
  type RouteDecision,
  type PromptToScore,
  type RouteNeeds,
  type Tier,
} from '@turnpike/routing'
import type { Catalog } from '@turnpike/vendors'
import type { CandidateBook } from '../candidates/candidate-book.ts'
import { candidatesInFormat, type Candidate } from '../candidates/candidate.ts'
import { inTurn } from '../candidates/in-turn.ts'
import type { AutoRoute, Escalation, Verdict } from './auto-route.ts'
import { Calibration, type CalibrationMode } from './calibration.ts'
import { conversationId, hasBegun } from './conversation-id.ts'
import { needsOf } from './needs-of.ts'
import { routeOptions, type ConfiguredTiers, type ServedOption } from './route-options.ts'
import { tierServed } from './route-record.ts'
import { isStalled } from './stall.ts'

/** The input size used to compare prices when there is no request. */
const usualInputTokens = 2_000

export interface AutoSettings {
  tiers: ConfiguredTiers
  /** By profile: how much lower than the best tier's a tier's success probability may be, from 0 to 1. */
  deltas: Readonly<Record<Profile, number>>
  /** The model that savings are computed against; null: the most expensive model of the highest tier. */
  baselineModel: string | null
  /** Whether accounts' past outcomes correct the probabilities. */
  calibration: CalibrationMode
}

const escalated: Readonly<Record<Escalation, string>> = {
  retry: 'the last answer was rejected (metadata.retry_of)',
  stall: 'the same tool call failed three times',
}

/** A request for which the gateway chooses the model. */
export interface AutoRequest {
  profile: Profile
  request: ModelRequest
  /** The caller's format: a vendor of the same format supports every field. */
  format: FormatName
  bodyBytes: number
  /** Fields that a model does not support may be left out. */
  isLenient?: boolean
  accountId: string
  /** The owner of the conversations: a key, or whoever requests an explanation. */
  keyId: string
  /** The account's own vendor keys; null if it has none. */
  vendorKeys?: AccountVendorKeys | null
  mayUse: (model: string) => boolean
  /** The earlier request whose answer the caller found insufficient. */
  retryOf: string | undefined
  nowMs: number
}

/** The outcome of a route. */
export interface RoutedAnswer {
  requestId: string
  /** The model that answered. */
  model: string
  /** The whole answer was delivered. */
  completed: boolean
  nowMs: number
}

/** Whether at least one of the candidates may be called for the account now. */
type IsHealthy = (candidates: readonly Candidate[], accountId: string) => boolean

/** Chooses models for requests that name none, and remembers the choice for the rest of a conversation. */
export class AutoRouter {
  readonly #settings: AutoSettings
  readonly #isHealthy: IsHealthy
  readonly #conversations = new Conversations()
  readonly #calibration: Calibration
  #options = new Map<string, ServedOption>()
  #pricesOf: (model: string) => PriceTable | undefined = () => undefined
  #baseline: PriceTable | undefined
  #candidates: CandidateBook | undefined

  constructor(settings: AutoSettings, isHealthy: IsHealthy) {
    this.#settings = settings
    this.#isHealthy = isHealthy
    this.#calibration = new Calibration(settings.calibration)
  }

  /** Switches to models and prices that have come into force. */
  use(catalog: Catalog, candidates: CandidateBook): void {
    const options = routeOptions(this.#settings.tiers, catalog, candidates)
    this.#options = new Map(options.map((option) => [option.model, option]))
    this.#candidates = candidates
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

  /** Whether there is no model to choose from. */
  get isEmpty(): boolean {
    return this.#options.size === 0
  }

  /** The prices that savings are computed against: the account's baseline model's, else the operator's. */
  baselinePrices(named: string | null): PriceTable | undefined {
    return (named === null ? undefined : this.#pricesOf(named)) ?? this.#baseline
  }

  /** @throws {GatewayError} 400 if no model can take the request, 503 if there is no model at all */
  route(autoRequest: AutoRequest): AutoRoute {
    const options = this.#optionsOf(autoRequest)
    if (options.size === 0) throw noModelsError()
    const prompt = promptToScore(autoRequest.request.messages)
    const verdict = this.#verdict(autoRequest, prompt)
    const conversation = conversationId(autoRequest.keyId, autoRequest.request)
    // Many conversations begin alike ("hi"), so one without an answer in it does not continue any of them.
    const goesOn = autoRequest.retryOf !== undefined || hasBegun(autoRequest.request)
    const remembered = goesOn ? this.#conversations.find(conversation) : undefined
    const escalation = escalationOf(autoRequest)
    const needs = needsOf(autoRequest.request, autoRequest.bodyBytes, autoRequest.isLenient === true)
    const decision = decideRoute({
      scored: verdict.basis,
      leansOnConversation: prompt.anaphoric,
      withinTurn: prompt.withinTurn,
      conversation: remembered,
      escalation: escalation === undefined ? undefined : escalated[escalation],
      needs,
      options: [...options.values()],
      refusal: refusals(autoRequest, options),
      expectedPico: (option, tier, cached) => estimatePico(options.get(option.model)!, tier, cached, needs),
      isHealthy: ({ model }) => this.#isHealthy(options.get(model)!.candidates, autoRequest.accountId),
      nowMs: autoRequest.nowMs,
    })
    if (decision.ranking.length === 0) throw noCapableModelError(decision)
    if (verdict.basis !== verdict.scored)
      decision.because.unshift(`this account's outcomes change it to ${verdict.basis}`)
    const { candidates, forbidsShared } = inTurn(decision.ranking.map(({ model }) => options.get(model)!))
    const { profile, accountId } = autoRequest
    const before = { conversation, conversationTier: remembered?.tier, escalation }
    const about = { profile, accountId, asks: prompt.asks, ...verdict, ...before, needs, decision }
    return { ...about, candidates, forbidsShared }
  }

  /** By model; includes the account's own keys, if it has some. */
  #optionsOf({ vendorKeys = null }: AutoRequest): ReadonlyMap<string, ServedOption> {
    const book = this.#candidates
    if (vendorKeys === null || book === undefined) return this.#options
    const own = [...this.#options.values()].map((option) => ({
      ...option,
      ...book.includingOwn(option.candidates[0]!.model, vendorKeys),
    }))
    return new Map(own.flatMap((one) => (one.candidates.length === 0 ? [] : [[one.model, one] as const])))
  }

  /** The tier that the prompt needs, by itself and with what is known about the account. */
  #verdict({ profile, accountId }: AutoRequest, prompt: PromptToScore): Verdict {
    const found = scorePrompt(prompt)
    const score = { ...found, probabilities: toCorrection(found.probabilities) }
    const delta = this.#settings.deltas[profile]
    const scored = tierFor(score, delta)
    const calibrated = this.#calibration.of(accountId, score, delta)
    return { delta, score, scored, calibrated, basis: calibrated?.used === true ? calibrated.tier : scored }
  }

  /** Records what a routed request reveals about earlier answers. Call it before the request is sent. */
  recordRequest(route: AutoRoute, retryOf: string | undefined, nowMs: number): void {
    this.#calibration.recordFollowUp(route, retryOf, nowMs)
  }

  /** Records which model answered: the conversation continues with it. */
  recordAnswer(route: AutoRoute, { requestId, model, completed, nowMs }: RoutedAnswer): void {
    const { inputTokens } = route.needs
    const tier = tierServed(route, model)
    this.#conversations.remember(route.conversation, { tier, model, inputTokens, usedAtMs: nowMs })
    if (completed) this.#calibration.recordAnswer(route, requestId, tier, nowMs)
  }
}

function estimatePico(option: ServedOption, tier: Tier, cachedTokens: number, needs: RouteNeeds): bigint {
  const usage = {
    inputTokens: needs.inputTokens - cachedTokens,
    cacheReadTokens: cachedTokens,
    outputTokens: Math.min(expectedOutputTokens[tier], needs.outputTokens),
  }
  return rate(usage, option.candidates[0]!.prices)
}

/** Why a model does not suit this request: the key's list, or a field that none of its vendors supports. */
function refusals(
  { request, format, mayUse, isLenient }: AutoRequest,
  options: ReadonlyMap<string, ServedOption>,
): (option: { model: string }) => string | undefined {
  const byFormat = new Map<FormatName, string | undefined>()
  const unsupportedBy = (name: FormatName): string | undefined => {
    if (!byFormat.has(name))
      byFormat.set(name, name === format ? undefined : findUnsupported(request, name, isLenient === true))
    return byFormat.get(name)
  }
  return ({ model }) => {
    if (!mayUse(model)) return 'is not allowed for this key'
    const candidates = candidatesInFormat(
      { name: format, operation: 'generate' },
      options.get(model)!.candidates,
    )
    const sayable = candidates.some(({ provider }) => unsupportedBy(provider.format) === undefined)
    return sayable ? undefined : unsupportedBy(candidates[0]!.provider.format)
  }
}

/** The most expensive model of the highest tier that has models, for an answer of usual length. */
function dearest(options: readonly ServedOption[]): ServedOption | undefined {
  const tier = tiers.findLast((one) => options.some((option) => option.tiers.includes(one)))
  if (tier === undefined) return undefined
  const usual = { inputTokens: usualInputTokens, outputTokens: expectedOutputTokens[tier] }
  const costPico = (option: ServedOption): bigint => rate(usual, option.candidates[0]!.prices)
  return options
    .filter((option) => option.tiers.includes(tier))
    .reduce((most, option) => (costPico(option) > costPico(most) ? option : most))
}

function findUnsupported(request: ModelRequest, name: FormatName, isLenient: boolean): string | undefined {
  const vendor = vendorFormats[name].operations.generate
  if (vendor === undefined) return 'has a vendor that does not generate text'
  const { fields } = vendor
  try {
    if (isLenient) withoutUnsupported(generateFieldRules, { request, dropped: [] }, { modelId: 'it', fields })
    else refuseUnsupported(request, fields, 'it')
    return undefined
  } catch (error) {
    if (error instanceof GatewayError) return `has a vendor that does not support ${error.param ?? 'this'}`
    throw error
  }
}

function escalationOf({ request, retryOf }: AutoRequest): Escalation | undefined {
  if (retryOf !== undefined) return 'retry'
  return isStalled(request) ? 'stall' : undefined
}

function noModelsError(): GatewayError {
  const message =
    'Auto-routing has no models to choose from. The operator must list some in routing.auto.tiers or in ' +
    'the tiers of models.'
  return new GatewayError('service_unavailable', message, { param: 'model' })
}

function noCapableModelError({ left }: RouteDecision): GatewayError {
  const reasons = [...left].slice(0, 5).map(([model, reason]) => `${model} ${reason}`)
  return invalidRequest(
    'model',
    `None of the models of auto-routing can handle this request: ${reasons.join('; ')}.`,
  )
}
