import type { RequestRecord, UnauthenticatedReason, TokenCountSource } from '@turnpike/gateway'
import { disbeliefReasons, endpoints, operationByEndpoint, type DisbeliefReason } from '@turnpike/protocol'
import type { Registry } from 'prom-client'
import { BoundedLabel } from './bounded-label.ts'
import type { Meters } from './register.ts'
import { Durations } from './durations.ts'

/** In seconds: from an answer out of a vendor's cache to very long reasoning. */
const durationBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900]
const firstTokenBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** The catalog has some 290 models. A configuration may add some, and change while the node runs. */
const mostModels = 400
const mostProviders = 100
const picoPerUsd = 1e12

/** Counts of one model at one provider. */
interface Served {
  labels: { provider: string; model: string }
  requests: number
  tokensIn: number
  tokensOut: number
  costPico: bigint
}

/**
 * Metrics of finished requests. Labels come from the operator's configuration, the catalog and our own
 * short lists; no label contains text of a caller.
 */
export class RequestMetrics {
  readonly #models = new BoundedLabel(mostModels)
  readonly #providers = new BoundedLabel(mostProviders)
  /** By endpoint, then by provider, then by outcome. */
  readonly #outcomes = new Map(
    endpoints.map((endpoint) => [endpoint, new Map<string, Map<string, number>>()] as const),
  )
  readonly #errors = new Map<string, number>()
  /** By provider, then by model. */
  readonly #served = new Map<string, Map<string, Served>>()
  /** By the tier that auto-routing chose, then by the tier that the prompt's score required. */
  readonly #routed = new Map<string, Map<string, number>>()
  readonly #unauthenticated: Record<UnauthenticatedReason, number> = {
    'no-key': 0,
    'no-bearer': 0,
    'unknown-key': 0,
    'not-looked-up': 0,
  }
  readonly #tokenCounts: Record<TokenCountSource, number> = { vendor: 0, gateway: 0 }
  /** Services that vendors billed and that have no price here: by provider, then by service. */
  readonly #unpriced = new Map<string, Map<string, number>>()
  #beyondHold = 0
  readonly #disbelieved = new Map<DisbeliefReason, number>(disbeliefReasons.map((reason) => [reason, 0]))
  readonly #durations: Durations
  readonly #firstTokens: Durations

  constructor(registry: Registry, meters: Meters) {
    this.#durations = new Durations(registry, {
      name: 'turnpike_request_duration_seconds',
      help: 'Time from the request head to the end of the answer, by provider; without failed requests.',
      buckets: durationBuckets,
    })
    this.#firstTokens = new Durations(registry, {
      name: 'turnpike_first_token_seconds',
      help: 'Time from the request head to the first token of the answer, by provider.',
      buckets: firstTokenBuckets,
    })
    this.#publishOutcomes(meters)
    this.#publishUnrecorded(meters)
    this.#publishServed(meters)
  }

  add(record: RequestRecord): void {
    const { endpoint, outcome, errorType, firstTokenMs, tier, route } = record
    const provider = record.provider === null ? '' : this.#providers.of(record.provider)
    countIn(this.#outcomes.get(endpoint)!, provider, outcome)
    if (errorType !== null) this.#errors.set(errorType, (this.#errors.get(errorType) ?? 0) + 1)
    if (tier !== null && route !== null) countIn(this.#routed, tier, route.scored)
    if (firstTokenMs !== null) this.#firstTokens.add(provider, firstTokenMs / 1_000)
    if (outcome === 'failed') return
    this.#durations.add(provider, record.durationMs / 1_000)
    const served = this.#seriesOf(provider, record.modelServed ?? '')
    served.requests++
    served.tokensIn += record.tokensIn
    served.tokensOut += record.tokensOut
    served.costPico += record.chargePico
    if (record.chargePico > record.holdPico) this.#beyondHold++
    const disbelieved = record.usage?.disbelieved
    if (disbelieved !== undefined) this.#disbelieved.set(disbelieved, this.#disbelieved.get(disbelieved)! + 1)
    for (const service of record.usage?.unpriced ?? []) countIn(this.#unpriced, provider, service)
  }

  addTokenCount(counter: TokenCountSource): void {
    this.#tokenCounts[counter]++
  }

  addUnauthenticated(reason: UnauthenticatedReason): void {
    this.#unauthenticated[reason]++
  }

  #seriesOf(provider: string, name: string): Served {
    let models = this.#served.get(provider)
    if (models === undefined) this.#served.set(provider, (models = new Map<string, Served>()))
    const known = models.get(name)
    if (known !== undefined) return known
    const model = this.#models.of(name)
    const served = models.get(model) ?? {
      labels: { provider, model },
      requests: 0,
      tokensIn: 0,
      tokensOut: 0,
      costPico: 0n,
    }
    models.set(model, served)
    return served
  }

  #publishOutcomes({ counter }: Meters): void {
    counter(
      'turnpike_requests_total',
      'Settled requests by endpoint, operation, outcome and provider.',
      ['endpoint', 'operation', 'outcome', 'provider'],
      () =>
        [...this.#outcomes].flatMap(([endpoint, providers]) => {
          const operation = operationByEndpoint[endpoint]
          return pairs(providers, (provider, outcome) => ({ endpoint, operation, outcome, provider }))
        }),
    )
    counter(
      'turnpike_request_errors_total',
      'Requests that ended with an error, by error type.',
      ['type'],
      () => [...this.#errors].map(([type, count]) => [{ type }, count] as const),
    )
    counter(
      'turnpike_auto_routed_total',
      'Requests that auto-routing chose a model for, by chosen tier and the tier scored for the prompt.',
      ['tier', 'scored'],
      () => pairs(this.#routed, (tier, scored) => ({ tier, scored })),
    )
    counter(
      'turnpike_charges_beyond_hold_total',
      'Requests that cost more than was held for them.',
      [],
      () => this.#beyondHold,
    )
    counter(
      'turnpike_usage_disbelieved_total',
      'Requests whose reported usage was implausible and not charged as reported, by reason.',
      ['reason'],
      () => [...this.#disbelieved].map(([reason, count]) => [{ reason }, count] as const),
    )
    counter(
      'turnpike_unpriced_services_total',
      'Services that a vendor billed and that have no price here.',
      ['provider', 'service'],
      () => pairs(this.#unpriced, (provider, service) => ({ provider, service })),
    )
  }

  /** Publishes the counts of requests that have no row. */
  #publishUnrecorded({ counter }: Meters): void {
    counter(
      'turnpike_token_counts_total',
      'Token counts answered (`count_tokens`), by who counted. They are free and leave no row.',
      ['counter'],
      () => Object.entries(this.#tokenCounts).map(([counter, count]) => [{ counter }, count] as const),
    )
    counter(
      'turnpike_unauthenticated_requests_total',
      'Requests without a valid key, by reason. They leave no row.',
      ['reason'],
      () => Object.entries(this.#unauthenticated).map(([reason, count]) => [{ reason }, count] as const),
    )
  }

  #publishServed({ counter }: Meters): void {
    const all = (): Served[] => [...this.#served.values()].flatMap((models) => [...models.values()])
    counter(
      'turnpike_model_requests_total',
      'Requests answered in whole or in part, by provider and model.',
      ['provider', 'model'],
      () => all().map(({ labels, requests }) => [labels, requests] as const),
    )
    counter(
      'turnpike_tokens_total',
      'Tokens charged, by direction, provider and model.',
      ['direction', 'provider', 'model'],
      () =>
        all().flatMap(
          ({ labels, tokensIn, tokensOut }) =>
            [
              [{ direction: 'in', ...labels }, tokensIn],
              [{ direction: 'out', ...labels }, tokensOut],
            ] as const,
        ),
    )
    counter(
      'turnpike_cost_usd_total',
      'Charges in USD, rounded for graphs; the ledger is exact.',
      ['provider', 'model'],
      () => all().map(({ labels, costPico }) => [labels, Number(costPico) / picoPerUsd] as const),
    )
  }
}

function countIn(counts: Map<string, Map<string, number>>, first: string, second: string): void {
  let within = counts.get(first)
  if (within === undefined) counts.set(first, (within = new Map<string, number>()))
  within.set(second, (within.get(second) ?? 0) + 1)
}

function pairs(
  counts: ReadonlyMap<string, ReadonlyMap<string, number>>,
  labels: (first: string, second: string) => Record<string, string>,
): (readonly [Record<string, string>, number])[] {
  return [...counts].flatMap(([first, within]) =>
    [...within].map(([second, count]) => [labels(first, second), count] as const),
  )
}
