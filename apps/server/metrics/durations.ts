import { Histogram, type Registry } from 'prom-client'

/** Values per provider that are collected before they are observed. */
const mostWaiting = 500

/**
 * A histogram by provider that observes its values in batches. prom-client takes 0.7 µs for a single value
 * amid a request's other work, but 0.1 µs for each value of a batch.
 */
export class Durations {
  readonly #histogram: Histogram<'provider'>
  readonly #waiting = new Map<string, number[]>()

  constructor(registry: Registry, described: { name: string; help: string; buckets: number[] }) {
    this.#histogram = new Histogram({
      ...described,
      labelNames: ['provider'],
      registers: [registry],
      collect: () => {
        for (const [provider, seconds] of this.#waiting) this.#observe(provider, seconds)
      },
    })
  }

  add(provider: string, seconds: number): void {
    const waiting = this.#waiting.get(provider)
    if (waiting === undefined) this.#waiting.set(provider, [seconds])
    else if (waiting.push(seconds) >= mostWaiting) this.#observe(provider, waiting)
  }

  #observe(provider: string, seconds: number[]): void {
    const labels = { provider }
    for (const value of seconds) this.#histogram.observe(labels, value)
    seconds.length = 0
  }
}
