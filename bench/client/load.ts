import { setTimeout as delay } from 'node:timers/promises'
import { LoadConnection } from './connection.ts'

export interface LoadResult {
  answers: number
  /** By status, or by the reason for which the connection broke. */
  failures: Map<string, number>
}

/** Where and how to send a request to a subject. */
export interface Target {
  port: number
  request: Buffer
}

/** Opens this many connections; each sends its next request when it has received the response. */
export async function runClosedLoop(
  { port, request }: Target,
  { connections, durationMs }: { connections: number; durationMs: number },
): Promise<LoadResult> {
  const result: LoadResult = { answers: 0, failures: new Map() }
  const endsAtMs = performance.now() + durationMs
  const one = (): Promise<void> =>
    new Promise((resolve) => {
      let connection = new LoadConnection(port)
      const next = (): void => {
        if (performance.now() >= endsAtMs) {
          connection.abort()
          return resolve()
        }
        if (!connection.usable) connection = new LoadConnection(port)
        connection.send(request, { onEnd, onBroken })
      }
      const onEnd = (status: number): void => {
        if (status === 200) result.answers++
        else count(result.failures, String(status))
        next()
      }
      const onBroken = (reason: string): void => {
        count(result.failures, reason)
        setTimeout(next, 10)
      }
      next()
    })
  await Promise.all(Array.from({ length: connections }, one))
  return result
}

/**
 * Sends this many requests a second, whether or not earlier ones are answered. Latencies are in milliseconds
 * from the moment when the request was written.
 */
export async function runOpenLoop(
  { port, request }: Target,
  { ratePerSecond, durationMs }: { ratePerSecond: number; durationMs: number },
): Promise<LoadResult & { latenciesMs: number[] }> {
  const result = { answers: 0, failures: new Map<string, number>(), latenciesMs: [] as number[] }
  const idle: LoadConnection[] = []
  const all = new Set<LoadConnection>()
  const requests = { open: 0 }
  const send = (): void => {
    const connection = idle.pop() ?? new LoadConnection(port)
    all.add(connection)
    requests.open++
    const sentAtMs = performance.now()
    connection.send(request, {
      onEnd: (status) => {
        requests.open--
        if (status === 200) {
          result.answers++
          result.latenciesMs.push(performance.now() - sentAtMs)
        } else count(result.failures, String(status))
        idle.push(connection)
      },
      onBroken: (reason) => {
        requests.open--
        all.delete(connection)
        count(result.failures, reason)
      },
    })
  }
  const total = Math.round((ratePerSecond * durationMs) / 1_000)
  const startedAtMs = performance.now()
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.ceil(((performance.now() - startedAtMs) * ratePerSecond) / 1_000))
    for (; sent < due; sent++) send()
    await delay(1)
  }
  for (let waits = 0; requests.open > 0 && waits < 100; waits++) await delay(20)
  if (requests.open > 0) count(result.failures, 'no answer', requests.open)
  for (const connection of all) connection.abort()
  return result
}

/** Streams that stay open until all of them are closed together. */
export class OpenStreams {
  readonly #connections: LoadConnection[] = []
  readonly failures = new Map<string, number>()
  events = 0

  constructor({ port, request }: Target, streams: number) {
    for (let number = 0; number < streams; number++) {
      const connection = new LoadConnection(port)
      this.#connections.push(connection)
      connection.send(request, {
        onEvents: (events) => {
          this.events += events
        },
        onEnd: (status) => count(this.failures, String(status)),
        onBroken: (reason) => count(this.failures, reason),
      })
    }
  }

  close(): void {
    for (const connection of this.#connections) connection.abort()
  }
}

export function count(counts: Map<string, number>, name: string, by: number = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by)
}
