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

/** Of a request by which prices are compared without one. */
const usualInputTokens = 2_000

export interface AutoSettings {
  tiers: ConfiguredTiers
  /** How much less likely to succeed than the best a tier may be, from 0 to 1. */
  deltas: Readonly<Record<Profile, number>>
  /** What requests would have been sent to otherwise; null: the dearest model of the highest tier. */
  baselineModel: string | null
  /** Whether accounts' outcomes correct the probabilities. */
  calibration: CalibrationMode
}

const escalated: Readonly<Record<Escalation, string>> = {
  retry: 'the last answer was rejected (metadata.retry_of)',
  stall: 'the same tool call failed three times',
}

/** A request that leaves the model to us. */
export interface AutoRequest {
  profile: Profile
  request: ModelRequest
  /** In which it was written: a vendor of that format is told all of it. */
  format: FormatName
  bodyBytes: number
  /** What a model does not honour may be left out. */
  isLenient?: boolean
  accountId: string
  /** Whose conversations these are: a key, or whoever asks for an explanation. */
  keyId: string
  /** The account's own keys of vendors; null: it has none. */
  vendorKeys?: AccountVendorKeys | null
  mayUse: (model: string) => boolean
  /** The request whose answer this one finds wanting. */
  retryOf: string | undefined
  nowMs: number
}

/** What came of a route. */
export interface RoutedAnswer {
  requestId: string
  /** Who answered. */
  model: string
  /** The whole of the answer was delivered. */
  completed: boolean
  nowMs: number
}

/** Whether somebody of them may be asked for the account now. */
type IsHealthy = (candidates: readonly Candidate[], accountId: string) => boolean

/** Chooses models for requests that name none; remembers what it chose for conversations that go on. */
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

  /** Takes over models and prices that came into force. */
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

  /**
   * The prices that savings are reckoned against: of the account's baseline model, or else the operator's.
   * Undefined where there is none.
   */
  baselinePrices(named: string | null): PriceTable | undefined {
    return (named === null ? undefined : this.#pricesOf(named)) ?? this.#baseline
  }

  /** @throws {GatewayError} 400 where no model can take the request, 503 where there is none at all */
  route(asked: AutoRequest): AutoRoute {
    const options = this.#optionsOf(asked)
    if (options.size === 0) throw noModelsError()
    const prompt = promptToScore(asked.request.messages)
    const verdict = this.#verdict(asked, prompt)
    const conversation = conversationId(asked.keyId, asked.request)
    // Many conversations begin alike ("hi"): one without an answer in it goes on with none of them.
    const goesOn = asked.retryOf !== undefined || hasBegun(asked.request)
    const remembered = goesOn ? this.#conversations.find(conversation) : undefined
    const escalation = escalationOf(asked)
    const needs = needsOf(asked.request, asked.bodyBytes, asked.isLenient === true)
    const decision = decideRoute({
      scored: verdict.basis,
      leansOnConversation: prompt.anaphoric,
      withinTurn: prompt.withinTurn,
      conversation: remembered,
      escalation: escalation === undefined ? undefined : escalated[escalation],
      needs,
      options: [...options.values()],
      refusal: refusals(asked, options),
      expectedPico: (option, tier, cached) => estimatePico(options.get(option.model)!, tier, cached, needs),
      isHealthy: ({ model }) => this.#isHealthy(options.get(model)!.candidates, asked.accountId),
      nowMs: asked.nowMs,
    })
    if (decision.ranking.length === 0) throw noCapableModelError(decision)
    if (verdict.basis !== verdict.scored)
      decision.because.unshift(`this account's outcomes change it to ${verdict.basis}`)
    const { candidates, forbidsShared } = inTurn(decision.ranking.map(({ model }) => options.get(model)!))
    const { profile, accountId } = asked
    const before = { conversation, conversationTier: remembered?.tier, escalation }
    const about = { profile, accountId, asks: prompt.asks, ...verdict, ...before, needs, decision }
    return { ...about, candidates, forbidsShared }
  }

  /** By model; with the account's own keys, where it has some. */
  #optionsOf({ vendorKeys = null }: AutoRequest): ReadonlyMap<string, ServedOption> {
    const book = this.#candidates
    if (vendorKeys === null || book === undefined) return this.#options
    const own = [...this.#options.values()].map((option) => ({
      ...option,
      ...book.includingOwn(option.candidates[0]!.model, vendorKeys),
    }))
    return new Map(own.flatMap((one) => (one.candidates.length === 0 ? [] : [[one.model, one] as const])))
  }

  /** What the prompt asks for, by itself and by what is known of the account. */
  #verdict({ profile, accountId }: AutoRequest, prompt: PromptToScore): Verdict {
    const found = scorePrompt(prompt)
    const score = { ...found, probabilities: toCorrection(found.probabilities) }
    const delta = this.#settings.deltas[profile]
    const scored = tierFor(score, delta)
    const calibrated = this.#calibration.of(accountId, score, delta)
    return { delta, score, scored, calibrated, basis: calibrated?.used === true ? calibrated.tier : scored }
  }

  /** A request was routed that is about to be sent: what it says of answers before it. */
  recordRequest(route: AutoRoute, retryOf: string | undefined, nowMs: number): void {
    this.#calibration.recordFollowUp(route, retryOf, nowMs)
  }

  /** A model has answered: the conversation goes on with it. */
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

/** Why a model is not for this request: the key's list, or a field that no vendor of it knows. */
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
