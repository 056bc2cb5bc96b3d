import { monitorEventLoopDelay } from 'node:perf_hooks'
import { quantile } from '../report/statistics.ts'
import { type SoakLoad, type Tally } from './load.ts'
import { judgeWindows, withoutWarmUp, windowHeader, windowLine, type SoakWindow } from './window.ts'
import type { RunningTurnpike } from '../subjects/turnpike.ts'
import type { MetricSamples } from '../client/metric-samples.ts'

const megabyte = 2 ** 20

/** Counters that only grow; a window has their difference. */
interface Counts {
  sent: number
  good: number
  other: number
  faults: number
}

/** Reads the server's state at the end of each window, and prints it as a line. */
export class SoakWindows {
  readonly #server: RunningTurnpike
  readonly #load: SoakLoad
  readonly #lengthSeconds: number
  readonly #windows: SoakWindow[] = []
  readonly #machine = monitorEventLoopDelay({ resolution: 10 })
  #before: Counts = { sent: 0, good: 0, other: 0, faults: 0 }
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #failedLooks = 0

  constructor(server: RunningTurnpike, load: SoakLoad, lengthSeconds: number) {
    this.#server = server
    this.#load = load
    this.#lengthSeconds = lengthSeconds
  }

  start(): void {
    console.log(windowHeader)
    this.#machine.enable()
    this.#timer = setInterval(() => {
      this.#looking = this.#looking.then(() => this.#look())
    }, this.#lengthSeconds * 1_000)
  }

  /** Resolves once the last window was read. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
    this.#machine.disable()
  }

  verdict(): { figures: string[]; failures: string[]; isMachineSteady: boolean } {
    const judged = judgeWindows(withoutWarmUp(this.#windows, this.#lengthSeconds))
    if (this.#failedLooks > 0) judged.failures.push(`/metrics was not answered ${this.#failedLooks} times`)
    return judged
  }

  async #look(): Promise<void> {
    const latenciesMs = this.#load.takeLatenciesMs()
    const machineP99Ms = this.#machine.percentile(99) / 1e6
    this.#machine.reset()
    try {
      const metrics = await this.#server.admin.metrics()
      const counts = countsOf(this.#load, metrics)
      const window = { ...windowOf(metrics, latenciesMs, counts, this.#before), machineP99Ms }
      this.#before = counts
      console.log(windowLine(this.#windows.length * this.#lengthSeconds, window))
      this.#windows.push(window)
    } catch {
      // A failed read is counted and fails the soak.
      this.#failedLooks++
    }
  }
}

function windowOf(
  metrics: MetricSamples,
  latenciesMs: readonly number[],
  now: Counts,
  before: Counts,
): Omit<SoakWindow, 'machineP99Ms'> {
  return {
    sent: now.sent - before.sent,
    good: now.good - before.good,
    other: now.other - before.other,
    faults: now.faults - before.faults,
    resting: metrics.sum('turnpike_upstreams', { state: 'open' }),
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    // The server measures it anew between two reads.
    eventLoopP99Ms: metrics.sum('nodejs_eventloop_lag_p99_seconds') * 1_000,
    residentMegabytes: metrics.sum('process_resident_memory_bytes') / megabyte,
    heapMegabytes: metrics.sum('nodejs_heap_size_used_bytes') / megabyte,
    handles: metrics.sum('nodejs_active_handles_total'),
    fileDescriptors: metrics.sum('process_open_fds'),
    openRequests: metrics.sum('turnpike_open_requests'),
    outboxRows: metrics.sum('turnpike_outbox_rows'),
  }
}

function countsOf({ plain, streams }: SoakLoad, metrics: MetricSamples): Counts {
  const tallies: Tally[] = [plain, streams]
  let good = 0
  let other = 0
  for (const [status, times] of tallies.flatMap(({ statuses }) => [...statuses]))
    if (status === '200') good += times
    else other += times
  return { sent: plain.sent + streams.sent, good, other, faults: countFailedAttempts(metrics) }
}

/** Calls to vendors that gave no answer; skipped candidates in cooldown do not count. */
function countFailedAttempts(metrics: MetricSamples): number {
  const of = (result?: string): number => {
    const sum = metrics.sum('turnpike_upstream_attempts_total', result === undefined ? {} : { result })
    return Number.isNaN(sum) ? 0 : sum
  }
  return of() - of('ok') - of('resting')
}
