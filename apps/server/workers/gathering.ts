import type { FromWorker, MetricsOfWorker, ToWorker } from './messages.ts'

/** A worker that takes longer to respond is left out. */
const patienceMs = 1_000

interface WorkerPort {
  number: number
  send(message: ToWorker): void
}

interface Question {
  metrics: MetricsOfWorker[]
  missing: Set<number>
  answer(): void
}

/** Collects the metrics of all workers for one of them. */
export class Gathering {
  readonly #questions = new Map<string, Question>()

  /** Requests the metrics of all workers, and sends them to the worker that needs them. */
  begin(asking: WorkerPort, question: number, everybody: readonly WorkerPort[]): void {
    const name = `${asking.number}/${question}`
    const metrics: MetricsOfWorker[] = []
    const answer = (): void => {
      clearTimeout(timer)
      if (this.#questions.delete(name)) asking.send({ kind: 'all-metrics', question, metrics })
    }
    const timer = setTimeout(answer, patienceMs)
    const missing = new Set(everybody.map(({ number }) => number))
    this.#questions.set(name, { metrics, missing, answer })
    for (const one of everybody) one.send({ kind: 'tell-metrics', question: name })
  }

  /** Adds a worker's response; late responses are dropped. */
  take(number: number, { question, metrics }: Extract<FromWorker, { kind: 'metrics' }>): void {
    const pending = this.#questions.get(question)
    if (pending === undefined || !pending.missing.delete(number)) return
    pending.metrics.push(metrics)
    if (pending.missing.size === 0) pending.answer()
  }
}
