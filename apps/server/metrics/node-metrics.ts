import type {
  TokenCountSource,
  Gateway,
  RequestObserver,
  RequestRecord,
  UnauthenticatedReason,
} from '@turnpike/gateway'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Configuration } from '../configuration/configuration.ts'
import { registerBooksMetrics, type BooksSources } from './books-metrics.ts'
import { registerDeliveryMetrics, type DeliverySources } from './delivery-metrics.ts'
import { registerKeptMetrics } from './kept-metrics.ts'
import { registerPromptLogMetrics } from './prompt-log-metrics.ts'
import { registerLimitMetrics, type LimitSources } from './limit-metrics.ts'
import { registerLoadMetrics, type LoadSources } from './load-metrics.ts'
import { registerMoneyMetrics, type MoneySources } from './money-metrics.ts'
import { registerOwnKeyMetrics, type OwnKeySource } from './own-key-metrics.ts'
import { registerProcessMetrics } from './process-metrics.ts'
import { metersOf } from './register.ts'
import { RequestMetrics } from './request-metrics.ts'
import { UpstreamMetrics } from './upstream-metrics.ts'

export interface MetricSources extends MoneySources {
  limits: LimitSources
}

/**
 * The Prometheus metrics of one node. Names end in their unit, as Prometheus recommends, and every label
 * has a bounded set of values. Amounts of money are rounded; the ledger has the exact ones.
 */
export class NodeMetrics implements RequestObserver {
  readonly #registry = new Registry()
  readonly #meters = metersOf(this.#registry)
  readonly #requests: RequestMetrics
  readonly #upstreams: UpstreamMetrics

  constructor(
    { dataDir, worker }: Pick<Configuration, 'dataDir' | 'worker'>,
    { outbox, leases, limits }: MetricSources,
  ) {
    // With several workers on one machine, each series has the worker's number.
    if (worker !== undefined) this.#registry.setDefaultLabels({ worker: String(worker) })
    this.#requests = new RequestMetrics(this.#registry, this.#meters)
    this.#upstreams = new UpstreamMetrics(this.#meters)
    registerLimitMetrics(this.#meters, limits)
    registerMoneyMetrics(this.#meters, { outbox, leases })
    collectDefaultMetrics({ register: this.#registry })
    registerProcessMetrics(this.#meters, dataDir)
  }

  /** Adds the metrics that exist only once the server does. */
  watch(sources: LoadSources): void {
    registerLoadMetrics(this.#meters, sources)
  }

  watchUpstreams(gateway: Pick<Gateway, 'health' | 'credentials'>): void {
    this.#upstreams.watch(gateway)
  }

  /** Adds the metrics of events and their deliveries. */
  watchDeliveries(sources: DeliverySources): void {
    registerDeliveryMetrics(this.#meters, sources)
  }

  /** Adds the metrics of sealed own keys; undefined: accounts have none. */
  watchOwnKeys(upkeep: OwnKeySource | undefined): void {
    registerOwnKeyMetrics(this.#meters, upkeep)
  }

  /** Adds the metrics of the ledger's verification. */
  watchBooks(sources: BooksSources): void {
    registerBooksMetrics(this.#meters, sources)
  }

  /** Adds the metrics of kept answers and of the prompt log. */
  watchKept({ kept, promptLog }: Pick<Gateway, 'kept' | 'promptLog'>): void {
    registerKeptMetrics(this.#meters, kept)
    registerPromptLogMetrics(this.#meters, promptLog)
  }

  /** The value of the response's `content-type`. */
  get contentType(): string {
    return this.#registry.contentType
  }

  settled(record: RequestRecord): void {
    this.#requests.add(record)
    this.#upstreams.add(record.attempts)
  }

  tokensCounted(counter: TokenCountSource): void {
    this.#requests.addTokenCount(counter)
  }

  unauthenticated(reason: UnauthenticatedReason): void {
    this.#requests.addUnauthenticated(reason)
  }

  /** All metrics as JSON, to be merged with those of other processes. */
  values(): Promise<object[]> {
    return this.#registry.getMetricsAsJSON()
  }

  /** All metrics in Prometheus's text format. */
  text(): Promise<string> {
    return this.#registry.metrics()
  }
}
