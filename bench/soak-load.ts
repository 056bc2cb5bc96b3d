import { LoadConnection } from './client/connection.ts'
import { count } from './client/load.ts'
import type { RunningTurnpike } from './subjects/turnpike.ts'

/** How clients behave in a soak. */
export const behaviour = {
  plainPerSecond: 300,
  streams: 100,
  /** Parts of the requests whose client leaves before the answer is whole. */
  plainAborts: 0.02,
  streamAborts: 0.25,
  /** A client that leaves does so within this time; a brief stream takes 3 s. */
  plainAbortWithinMs: 5,
  streamAbortWithinMs: 3_000,
}

export interface Tally {
  sent: number
  /** Whole answers by status; anything but 200 is an error of ours. */
  statuses: Map<string, number>
  aborted: number
}

/** Clients with many keys: plain requests at a steady pace, streams one after the other; some leave. */
export class SoakLoad {
  readonly plain: Tally = { sent: 0, statuses: new Map(), aborted: 0 }
  readonly streams: Tally = { sent: 0, statuses: new Map(), aborted: 0 }
  readonly #server: RunningTurnpike
  readonly #plainRequests: Buffer[]
  readonly #streamRequests: Buffer[]
  readonly #idle: LoadConnection[] = []
  readonly #open = new Set<LoadConnection>()
  #pace: NodeJS.Timeout | undefined
  #startedAtMs = 0
  #ending = false

  constructor(server: RunningTurnpike, keys: number) {
    this.#server = server
    const numbers = Array.from({ length: keys }, (_, key) => key)
    this.#plainRequests = numbers.map((key) => server.targetOf('plain', key).request)
    this.#streamRequests = numbers.map((key) => server.targetOf('brief', key).request)
  }

  start(): void {
    this.#startedAtMs = performance.now()
    this.#pace = setInterval(() => this.#catchUp(), 2)
    for (let stream = 0; stream < behaviour.streams; stream++)
      setTimeout(() => this.#stream(), (stream / behaviour.streams) * behaviour.streamAbortWithinMs)
  }

  /** No new requests; resolves once those under way have ended. */
  async end(): Promise<void> {
    this.#ending = true
    clearInterval(this.#pace)
    const giveUpAtMs = performance.now() + 20_000
    while (this.#open.size > 0 && performance.now() < giveUpAtMs)
      await new Promise((resolve) => setTimeout(resolve, 50))
    for (const connection of [...this.#open, ...this.#idle]) connection.abort()
    if (this.#open.size > 0) count(this.plain.statuses, 'no answer', this.#open.size)
  }

  /** A pace that is kept whatever the answers do. */
  #catchUp(): void {
    const due = ((performance.now() - this.#startedAtMs) * behaviour.plainPerSecond) / 1_000
    while (this.plain.sent < due) {
      const request = this.#plainRequests[this.plain.sent % this.#plainRequests.length]!
      const leavesAfterMs =
        Math.random() < behaviour.plainAborts ? Math.random() * behaviour.plainAbortWithinMs : undefined
      this.#send(request, this.plain, leavesAfterMs)
    }
  }

  #stream(): void {
    if (this.#ending) return
    const request = this.#streamRequests[this.streams.sent % this.#streamRequests.length]!
    const leavesAfterMs =
      Math.random() < behaviour.streamAborts ? Math.random() * behaviour.streamAbortWithinMs : undefined
    this.#send(request, this.streams, leavesAfterMs, () => this.#stream())
  }

  #send(request: Buffer, tally: Tally, leavesAfterMs: number | undefined, then?: () => void): void {
    const connection = this.#idleConnection()
    this.#open.add(connection)
    tally.sent++
    const over = (): void => {
      clearTimeout(leaving)
      this.#open.delete(connection)
      then?.()
    }
    const leave = (): void => {
      tally.aborted++
      connection.abort()
      over()
    }
    const leaving = leavesAfterMs === undefined ? undefined : setTimeout(leave, leavesAfterMs)
    connection.send(request, {
      onEnd: (status) => {
        count(tally.statuses, String(status))
        this.#idle.push(connection)
        over()
      },
      onBroken: (reason) => {
        count(tally.statuses, reason)
        over()
      },
    })
  }

  #idleConnection(): LoadConnection {
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined) return new LoadConnection(this.#server.port)
      if (connection.usable) return connection
    }
  }
}
