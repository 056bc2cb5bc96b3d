import { LoadConnection } from '../client/connection.ts'
import { count } from '../client/load.ts'

/** The behaviour of clients in a soak. */
export const behaviour = {
  streams: 100,
  /** Shares of the requests whose client leaves before the response is complete. */
  plainAborts: 0.02,
  streamAborts: 0.25,
  /** A client that leaves does so within this time; a brief stream takes 3 s. */
  plainAbortWithinMs: 5,
  streamAbortWithinMs: 3_000,
  /** The wait that a busy server requests of its clients. */
  refusedWaitMs: 1_000,
}

/** A generator that was halted for longer, perhaps with its machine, catches up on no more than this. */
const mostCatchUpMs = 1_000

/** Time until the full rate, which spares a cold server. The first minute is not judged. */
const rampMs = 30_000

/** The limit of open requests: with more, ports would run out, and nothing more would be learnt. */
const mostOpen = 2_000

export interface Tally {
  sent: number
  /** Number of complete responses by status, or of broken connections by reason. */
  statuses: Map<string, number>
  aborted: number
}

export const brokenStream = '200 without [DONE]'

export interface SoakTraffic {
  port: number
  plainPerSecond: number
  /** Sent in turn. */
  plainRequests: readonly Buffer[]
  streamRequests: readonly Buffer[]
}

/** Clients with many keys: plain requests at a constant rate, streams one after another; some leave. */
export class SoakLoad {
  readonly plain: Tally = { sent: 0, statuses: new Map(), aborted: 0 }
  readonly streams: Tally = { sent: 0, statuses: new Map(), aborted: 0 }
  readonly #traffic: SoakTraffic
  #latenciesMs: number[] = []
  readonly #idle: LoadConnection[] = []
  readonly #open = new Set<LoadConnection>()
  #pace: NodeJS.Timeout | undefined
  #startedAtMs = 0
  #lookedAtMs = 0
  /** How long it was halted and sent nothing. */
  haltedMs = 0
  /** Whether so many requests were open that no more were sent, because the server did not keep up. */
  heldBack = false
  #ending = false

  constructor(traffic: SoakTraffic) {
    this.#traffic = traffic
  }

  start(): void {
    this.#startedAtMs = performance.now()
    this.#lookedAtMs = this.#startedAtMs
    this.#pace = setInterval(() => this.#catchUp(), 2)
    for (let stream = 0; stream < behaviour.streams; stream++)
      setTimeout(() => this.#stream(), (stream / behaviour.streams) * behaviour.streamAbortWithinMs)
  }

  /** Latencies of the successful plain responses since the last call. */
  takeLatenciesMs(): number[] {
    const taken = this.#latenciesMs
    this.#latenciesMs = []
    return taken
  }

  /** Sends one more plain request whose client waits; resolves once it is over. */
  ask(request: Buffer): Promise<void> {
    return new Promise((resolve) => this.#send(request, this.plain, undefined, () => resolve()))
  }

  /** Sends no new requests; resolves once those in progress have ended. */
  async end(): Promise<void> {
    this.#ending = true
    clearInterval(this.#pace)
    const giveUpAtMs = performance.now() + 20_000
    while (this.#open.size > 0 && performance.now() < giveUpAtMs)
      await new Promise((resolve) => setTimeout(resolve, 50))
    for (const connection of [...this.#open, ...this.#idle]) connection.abort()
    if (this.#open.size > 0) count(this.plain.statuses, 'no answer', this.#open.size)
  }

  /** Keeps the rate, however fast responses come. */
  #catchUp(): void {
    const nowMs = performance.now()
    const haltedMs = Math.max(0, nowMs - this.#lookedAtMs - mostCatchUpMs)
    this.#lookedAtMs = nowMs
    this.#startedAtMs += haltedMs
    this.haltedMs += haltedMs
    const ageMs = nowMs - this.#startedAtMs
    const paceMs = ageMs < rampMs ? ageMs ** 2 / (2 * rampMs) : ageMs - rampMs / 2
    const due = (paceMs * this.#traffic.plainPerSecond) / 1_000
    while (this.plain.sent < due) {
      if (this.#open.size >= mostOpen) {
        this.heldBack = true
        return
      }
      const { plainRequests } = this.#traffic
      const request = plainRequests[this.plain.sent % plainRequests.length]!
      const leavesAfterMs =
        Math.random() < behaviour.plainAborts ? Math.random() * behaviour.plainAbortWithinMs : undefined
      this.#send(request, this.plain, leavesAfterMs)
    }
  }

  #stream(): void {
    if (this.#ending) return
    const { streamRequests } = this.#traffic
    const request = streamRequests[this.streams.sent % streamRequests.length]!
    const leavesAfterMs =
      Math.random() < behaviour.streamAborts ? Math.random() * behaviour.streamAbortWithinMs : undefined
    this.#send(request, this.streams, leavesAfterMs, (refused) => {
      if (refused) setTimeout(() => this.#stream(), behaviour.refusedWaitMs)
      else this.#stream()
    })
  }

  #send(
    request: Buffer,
    tally: Tally,
    leavesAfterMs: number | undefined,
    then?: (refused: boolean) => void,
  ): void {
    const connection = this.#idleConnection()
    const sentAtMs = performance.now()
    this.#open.add(connection)
    tally.sent++
    const over = (refused = false): void => {
      clearTimeout(leaving)
      this.#open.delete(connection)
      then?.(refused)
    }
    const leave = (): void => {
      tally.aborted++
      connection.abort()
      over()
    }
    const leaving = leavesAfterMs === undefined ? undefined : setTimeout(leave, leavesAfterMs)
    connection.send(request, {
      onEnd: (status, done) => {
        const whole = status !== 200 || tally === this.plain || done
        count(tally.statuses, whole ? String(status) : brokenStream)
        if (status === 200 && tally === this.plain) this.#latenciesMs.push(performance.now() - sentAtMs)
        this.#idle.push(connection)
        over(status !== 200)
      },
      onBroken: (reason) => {
        count(tally.statuses, reason)
        over(true)
      },
    })
  }

  #idleConnection(): LoadConnection {
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined) return new LoadConnection(this.#traffic.port)
      if (connection.usable) return connection
    }
  }
}
