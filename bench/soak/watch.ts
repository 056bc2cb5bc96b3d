import { quantile, slope } from '../report/statistics.ts'
import type { RunningTurnpike } from '../subjects/turnpike.ts'

/** In the first minute, code is compiled and pools grow. */
const settlingSeconds = 60

/** Before that, a slope only shows that the heap is finding its size. */
const fewestJudgedSeconds = 120

/** Allowed growth of memory after the first minute: collections cause some movement, but no lasting rise. */
const maxGrowthKilobytesPerMinute = 2_048
/** For 99 of 100 checks: on a shared machine, any process has to wait longer once in a while. */
const maxHealthMs = 1_000

/** Checks the server's memory and response time once a second. */
export class SoakWatch {
  readonly #server: RunningTurnpike
  readonly #rssKilobytes: number[] = []
  readonly #healthMs: number[] = []
  #unhealthy = 0
  #timer: NodeJS.Timeout | undefined

  constructor(server: RunningTurnpike) {
    this.#server = server
  }

  start(): void {
    this.#timer = setInterval(() => void this.#look(), 1_000)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /**
   * One sentence per observation, and those that are failures.
   * @param isMachineSteady otherwise a slow health check is reported, but not counted as a failure
   */
  verdict(isMachineSteady: boolean): { figures: string[]; failures: string[] } {
    const settled = this.#rssKilobytes.slice(Math.min(settlingSeconds, this.#rssKilobytes.length >> 1))
    const isLong = settled.length >= fewestJudgedSeconds
    const judged = isLong ? '' : ' (too short to judge)'
    const perMinute = slope(settled) * 60
    const megabytes = (part: number): string => (quantile(settled, part) / 1_024).toFixed(1)
    const slowest = Math.max(...this.#healthMs)
    const slow = quantile(this.#healthMs, 0.99)
    const minutes = Math.ceil(this.#rssKilobytes.length / 60)
    const byMinute = Array.from({ length: minutes }, (_, minute) => {
      const seconds = this.#rssKilobytes.slice(minute * 60, minute * 60 + 60)
      return (quantile(seconds, 0.5) / 1_024).toFixed(0)
    })
    const figures = [
      `memory by minute, median: ${byMinute.join(', ')} MB`,
      `memory after the first minute: median ${megabytes(0.5)} MB, p5 ${megabytes(0.05)} MB, ` +
        `p95 ${megabytes(0.95)} MB, slope ${(perMinute / 1_024).toFixed(2)} MB a minute${judged}`,
      `health check: median ${quantile(this.#healthMs, 0.5).toFixed(1)} ms, ` +
        `p99 ${slow.toFixed(1)} ms, slowest ${slowest.toFixed(1)} ms` +
        (isMachineSteady ? '' : ' (the machine became busier)'),
    ]
    const failures: string[] = []
    if (isLong && perMinute > maxGrowthKilobytesPerMinute) failures.push('memory grows')
    if (this.#unhealthy > 0) failures.push(`${this.#unhealthy} health checks failed`)
    if (isLong && slow > maxHealthMs && isMachineSteady)
      failures.push(`one health check in a hundred took ${slow.toFixed(0)} ms`)
    return { figures, failures }
  }

  async #look(): Promise<void> {
    this.#rssKilobytes.push(this.#server.use().rssKilobytes)
    const askedAtMs = performance.now()
    try {
      const answer = await fetch(`http://127.0.0.1:${this.#server.port}/healthz`, {
        // An open connection of its own would be counted as the server's.
        headers: { connection: 'close' },
      })
      await answer.arrayBuffer()
      if (!answer.ok) this.#unhealthy++
    } catch {
      // A failed check is counted and fails the soak.
      this.#unhealthy++
    }
    this.#healthMs.push(performance.now() - askedAtMs)
  }
}
