import type { FromWorker, MetricsOfWorker, ToWorker } from './messages.ts'

/** A worker that is busy for longer is left out. */
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

/** Gathers for one worker what all of them measure. */
export class Gathering {
  readonly #questions = new Map<string, Question>()

  /** Asks all, and tells the one that wants it. */
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

  /** What a worker answered; late answers are of no use any more. */
  take(number: number, { question, metrics }: Extract<FromWorker, { kind: 'metrics' }>): void {
    const asked = this.#questions.get(question)
    if (asked === undefined || !asked.missing.delete(number)) return
    asked.metrics.push(metrics)
    if (asked.missing.size === 0) asked.answer()
  }
}
