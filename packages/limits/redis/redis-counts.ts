import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Counter } from '../account-counts.ts'
import { unitsOf } from '../bucket.ts'
import type { SharedCounts, SharedReply } from '../shared-counts.ts'
import { within } from './deadline.ts'
import { countScript } from './script.ts'

const scriptHash = createHash('sha1').update(countScript).digest('hex')

/** After a failure the server is tried so often, behind the requests' backs. */
const probeEveryMs = 250
/** A connection on which nothing is answered for so long is given up: the next one may reach somebody. */
const silenceMs = 1_000
const connectMs = 1_000
const mostReconnectMs = 1_000

/** What is counted to see whether anything can be. */
const probe: Counter = {
  limit: { kind: 'requests', model: undefined, perMinute: 60_000, capacity: 60_000 },
  bucket: { owedUnits: 0, atMs: 0 },
  name: 'turnpike:limits:{probe}',
}

export interface RedisCountsOptions {
  /** `redis://` or `rediss://`, with user, password and database where they are needed. */
  url: string
  /** How long a request waits. */
  timeoutMs: number
  /** The server cannot be asked from now on, or can be asked again. */
  onChange: (isUp: boolean, reason: string | undefined) => void
}

/** For metrics; all since the start. */
export interface RedisCountsTally {
  /** Calls that failed or took too long. */
  failures: number
  /** Corrections by real usage that other nodes have not heard of. */
  lostCorrections: number
}

/**
 * Counters in Redis or Valkey, one script call a request. After the first call that fails or takes too long
 * nobody waits for it any more, until it has answered again.
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

  /** Resolves when the server has answered, or has not within a second or two: then it is tried on. */
  static async open(options: RedisCountsOptions): Promise<RedisCounts> {
    // Only who counts over Redis pays for loading it.
    const { Redis: Client } = await import('ioredis')
    const redis = new Client(options.url, {
      lazyConnect: true,
      // The version that every server and every proxy before one speaks.
      protocol: 2,
      disableClientInfo: true,
      connectTimeout: connectMs,
      socketTimeout: silenceMs,
      // A request that waits for a connection to come waits too long.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 50, mostReconnectMs),
      // What was a primary may be a replica since a failover.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
    })
    const counts = new RedisCounts(redis, options)
    let reason: string | undefined
    redis.on('error', (error: Error) => (reason = error.message))
    // It goes on trying by itself; why it could not is in the event above.
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
      // A server that was started anew does not know the script.
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

  /** Counts something: a server that answers but may not write, as a replica, is of no use. */
  async #probe(): Promise<void> {
    try {
      await this.#count('take', [probe], [1])
    } catch {
      // It is why it is asked; the first failure was told.
      return this.#probeLater()
    }
    if (this.#closed) return
    this.#isUp = true
    this.#options.onChange(true, undefined)
  }
}

/** @throws {TypeError} another one than the script's */
function replyOf(reply: unknown, counters: number): SharedReply {
  if (!Array.isArray(reply) || reply.length !== counters + 2 || !reply.every(Number.isSafeInteger))
    throw new TypeError(`the script answered ${JSON.stringify(reply)}`)
  const [short, waitMs, ...owedUnits] = reply as number[]
  return { short: short! - 1, waitMs: waitMs!, owedUnits }
}
