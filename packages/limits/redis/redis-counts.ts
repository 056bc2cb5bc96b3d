import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Counter } from '../account-counts.ts'
import { unitsOf } from '../bucket.ts'
import type { SharedCounts, SharedReply } from '../shared-counts.ts'
import { within } from './deadline.ts'
import { countScript } from './script.ts'

const scriptHash = createHash('sha1').update(countScript).digest('hex')

/** How often to probe the server after a failure, in the background. */
const probeEveryMs = 250
/** A connection without a reply for this long is closed: the next one may reach another server. */
const silenceMs = 1_000
const connectMs = 1_000
const mostReconnectMs = 1_000

/** A counter to test with whether the server accepts writes. */
const probe: Counter = {
  limit: { kind: 'requests', model: undefined, perMinute: 60_000, capacity: 60_000 },
  bucket: { owedUnits: 0, atMs: 0 },
  name: 'turnpike:limits:{probe}',
}

export interface RedisCountsOptions {
  /** `redis://` or `rediss://`, with user, password and database if needed. */
  url: string
  /** How long a request waits for the counters. */
  timeoutMs: number
  /** Called when the server becomes unavailable or available. */
  onChange: (isUp: boolean, reason: string | undefined) => void
}

/** For metrics; all since the start. */
export interface RedisCountsTally {
  /** Calls that failed or took too long. */
  failures: number
  /** Corrections by real usage that did not reach the shared counters. */
  lostCorrections: number
}

/**
 * Counters in Redis or Valkey, with one script call per request. After a call fails or takes too long, no
 * request waits for the server until it responds again.
 */
export class RedisCounts implements SharedCounts {
  readonly tally: RedisCountsTally = { failures: 0, lostCorrections: 0 }
  readonly #redis: Redis
  readonly #options: RedisCountsOptions
  #isUp = false
  #probing: NodeJS.Timeout | undefined
  #closed = false

  private constructor(redis: Redis, options: RedisCountsOptions) {
    this.#redis = redis
    this.#options = options
  }

  /** Resolves with the first response, or after a second or two; then it retries in the background. */
  static async open(options: RedisCountsOptions): Promise<RedisCounts> {
    // Loaded only if Redis is configured.
    const { Redis: Client } = await import('ioredis')
    const redis = new Client(options.url, {
      lazyConnect: true,
      // The protocol version that every server and proxy supports.
      protocol: 2,
      disableClientInfo: true,
      connectTimeout: connectMs,
      socketTimeout: silenceMs,
      // A request that waited for a connection would wait too long.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 50, mostReconnectMs),
      // After a failover the former primary may be a replica.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
    })
    const counts = new RedisCounts(redis, options)
    let reason: string | undefined
    redis.on('error', (error: Error) => (reason = error.message))
    // The client keeps retrying by itself; the event above has the reason.
    await redis.connect().catch((error: Error) => (reason ??= error.message))
    await counts.#probe()
    if (!counts.#isUp) options.onChange(false, reason)
    return counts
  }

  get isUp(): boolean {
    return this.#isUp
  }

  async take(counters: readonly Counter[], tokens: readonly number[]): Promise<SharedReply | undefined> {
    try {
      return await this.#count('take', counters, tokens)
    } catch (error) {
      this.#recordFailure(error)
      return undefined
    }
  }

  add(counters: readonly Counter[], tokens: readonly number[]): void {
    if (!this.#isUp) {
      this.tally.lostCorrections++
      return
    }
    this.#count('add', counters, tokens).catch((error: unknown) => {
      this.tally.lostCorrections++
      this.#recordFailure(error)
    })
  }

  close(): void {
    this.#closed = true
    this.#isUp = false
    clearTimeout(this.#probing)
    this.#redis.disconnect()
  }

  async #count(
    mode: 'take' | 'add',
    counters: readonly Counter[],
    tokens: readonly number[],
  ): Promise<SharedReply> {
    const names: string[] = []
    const values: (string | number)[] = [mode]
    for (let index = 0; index < counters.length; index++) {
      const { limit, name } = counters[index]!
      names.push(name)
      values.push(limit.perMinute, unitsOf(limit.capacity), unitsOf(tokens[index]!))
    }
    return replyOf(await within(this.#run(names, values), this.#options.timeoutMs), counters.length)
  }

  async #run(names: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    try {
      return await this.#redis.evalsha(scriptHash, names.length, ...names, ...values)
    } catch (error) {
      // A restarted server does not know the script.
      if (!String(error).includes('NOSCRIPT')) throw error
      return await this.#redis.eval(countScript, names.length, ...names, ...values)
    }
  }

  #recordFailure(error: unknown): void {
    this.tally.failures++
    if (this.#closed || !this.#isUp) return
    this.#isUp = false
    this.#options.onChange(false, error instanceof Error ? error.message : String(error))
    this.#probeLater()
  }

  #probeLater(): void {
    if (!this.#closed) this.#probing = setTimeout(() => void this.#probe(), probeEveryMs).unref()
  }

  /** Takes from a counter: a server that responds but is read-only, like a replica, is of no use. */
  async #probe(): Promise<void> {
    try {
      await this.#count('take', [probe], [1])
    } catch {
      // Failure is what the probe looks for; the first one was already reported.
      return this.#probeLater()
    }
    if (this.#closed) return
    this.#isUp = true
    this.#options.onChange(true, undefined)
  }
}

/** @throws {TypeError} if it is not the script's reply */
function replyOf(reply: unknown, counters: number): SharedReply {
  if (!Array.isArray(reply) || reply.length !== counters + 2 || !reply.every(Number.isSafeInteger))
    throw new TypeError(`the script answered ${JSON.stringify(reply)}`)
  const [short, waitMs, ...owedUnits] = reply as number[]
  return { short: short! - 1, waitMs: waitMs!, owedUnits }
}
