import { AggregatorRegistry } from 'prom-client'
import type { FromWorker, ToWorker } from './messages.ts'

export interface MetricsSource {
  readonly contentType: string
  /** The metrics of this process alone, as prom-client's JSON. */
  values(): Promise<object[]>
  text(): Promise<string>
}

/** Longer than the primary waits for the other workers. */
const patienceMs = 2_000

/** A worker's channel to the primary: reports that the worker serves, and exchanges metrics. */
export class WorkerChannel {
  #question = 0
  readonly #waiting = new Map<number, (metrics: object[][]) => void>()
  #own: MetricsSource | undefined

  constructor() {
    process.on('message', (message: ToWorker) => this.#hear(message))
  }

  ready(banner: string): void {
    tell({ kind: 'ready', banner })
  }

  /** Replaces the metrics of one worker by those of all, each with the label `worker`. */
  metricsOfAll(own: MetricsSource): MetricsSource {
    this.#own = own
    return {
      contentType: own.contentType,
      values: () => own.values(),
      text: async () => {
        const metrics = await this.#ask()
        if (metrics === undefined) return own.text()
        return AggregatorRegistry.aggregate(metrics).metrics()
      },
    }
  }

  /** Undefined if the primary does not respond. */
  async #ask(): Promise<object[][] | undefined> {
    const question = ++this.#question
    let timer: NodeJS.Timeout | undefined
    const answer = await new Promise<object[][] | undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), patienceMs)
      this.#waiting.set(question, resolve)
      tell({ kind: 'metrics-wanted', question })
    })
    clearTimeout(timer)
    this.#waiting.delete(question)
    return answer
  }

  #hear(message: ToWorker): void {
    if (message.kind === 'all-metrics') this.#waiting.get(message.question)?.(message.metrics)
    else void this.#tellMetrics(message.question)
  }

  async #tellMetrics(question: string): Promise<void> {
    const metrics = (await this.#own?.values()) ?? []
    tell({ kind: 'metrics', question, metrics })
  }
}

/** If the primary is gone, this process ends as well. */
function tell(message: FromWorker): void {
  if (process.connected) process.send?.(message)
}
