import type { HealthBook, Outbox, RequestObserver, RequestRecord } from '@turnpike/gateway'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { registerLimitMetrics, type LimitSources } from './limit-metrics.ts'
import { registerLoadMetrics, type LoadSources } from './load-metrics.ts'
import { UpstreamMetrics } from './upstream-metrics.ts'

/** From an answer out of a vendor's cache to a long thought. */
const durationBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900]
const firstTokenBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/**
 * What one node tells Prometheus. Names end in their unit, as Prometheus asks; money is left to the ledger.
 */
export class NodeMetrics implements RequestObserver {
  readonly #registry = new Registry()
  readonly #requests = new Counter({
    name: 'turnpike_requests_total',
    help: 'Requests settled, by how they ended (contract, section 4.7) and who served them.',
    labelNames: ['outcome', 'provider'] as const,
    registers: [this.#registry],
  })
  readonly #errors = new Counter({
    name: 'turnpike_request_errors_total',
    help: 'Requests that ended with an error, by its type.',
    labelNames: ['type'] as const,
    registers: [this.#registry],
  })
  readonly #tokens = new Counter({
    name: 'turnpike_tokens_total',
    help: 'Tokens charged, by direction.',
    labelNames: ['direction'] as const,
    registers: [this.#registry],
  })
  readonly #beyondHold = new Counter({
    name: 'turnpike_charges_beyond_hold_total',
    help: 'Requests whose usage cost more than was held for them.',
    registers: [this.#registry],
  })
  readonly #durationSeconds = new Histogram({
    name: 'turnpike_request_duration_seconds',
    help: 'From the head of a request to the end of its answer, of all requests but failed ones.',
    buckets: durationBuckets,
    registers: [this.#registry],
  })
  readonly #firstTokenSeconds = new Histogram({
    name: 'turnpike_first_token_seconds',
    help: 'From the head of a request to the first token of its answer.',
    buckets: firstTokenBuckets,
    registers: [this.#registry],
  })

  readonly #upstreams = new UpstreamMetrics(this.#registry)

  /** @param worker which of the workers of one machine this is, a label of all that it tells */
  constructor(outbox: Pick<Outbox, 'rows' | 'bytes' | 'waitingMs'>, limits: LimitSources, worker?: number) {
    if (worker !== undefined) this.#registry.setDefaultLabels({ worker: String(worker) })
    registerLimitMetrics(this.#registry, limits)
    this.#gauge(
      'turnpike_outbox_rows',
      'Finished requests that are not in the database yet.',
      () => outbox.rows,
    )
    this.#gauge('turnpike_outbox_bytes', 'Bytes of those requests in the local log.', () => outbox.bytes)
    this.#gauge(
      'turnpike_outbox_waiting_seconds',
      'For how long the outbox has had rows of which the database took none.',
      () => outbox.waitingMs / 1_000,
    )
    collectDefaultMetrics({ register: this.#registry })
  }

  /** What is there only once the server is. */
  watch(sources: LoadSources): void {
    registerLoadMetrics(this.#registry, sources)
  }

  watchUpstreams(health: HealthBook): void {
    this.#upstreams.watch(health)
  }

  /** The value of the answer's `content-type`. */
  get contentType(): string {
    return this.#registry.contentType
  }

  settled(record: RequestRecord): void {
    const { outcome, errorType } = record
    this.#requests.inc({ outcome, provider: record.provider ?? '' })
    this.#upstreams.add(record.attempts)
    if (errorType !== null) this.#errors.inc({ type: errorType })
    if (record.firstTokenMs !== null) this.#firstTokenSeconds.observe(record.firstTokenMs / 1_000)
    if (outcome === 'failed') return
    this.#durationSeconds.observe(record.durationMs / 1_000)
    this.#tokens.inc({ direction: 'in' }, record.tokensIn)
    this.#tokens.inc({ direction: 'out' }, record.tokensOut)
    if (record.chargePico > record.holdPico) this.#beyondHold.inc()
  }

  /** All of it, to be put together with other processes'. */
  values(): Promise<object[]> {
    return this.#registry.getMetricsAsJSON()
  }

  /** All of it in Prometheus's text format. */
  text(): Promise<string> {
    return this.#registry.metrics()
  }

  #gauge(name: string, help: string, value: () => number): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect: () => gauge.set(value()),
    })
  }
}
