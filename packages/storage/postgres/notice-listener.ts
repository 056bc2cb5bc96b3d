import { Client } from 'pg'
import type { Notice, NoticeListener, NoticeState } from '../notices.ts'
import type { Connection } from '../schema.ts'
import { NoticeTable, type NoticeRow } from './notice-table.ts'

const channel = 'turnpike'
const connectTimeoutMs = 5_000
/** Pause before listening again; doubled by each failure. */
const firstRetryMs = 250
const longestRetryMs = 5_000
/** A query without a response reveals a connection that was lost silently. */
const probeEveryMs = 5_000
const probeTimeoutMs = 2_000
/**
 * How often the table is read, whether or not notices arrive: a connection may be lost silently, and poolers
 * swallow notices. Half of the time within which every node must know of a revocation (docs/contract.md, 3).
 */
const sweepEveryMs = 500
/** From here on reads count as late. */
const sweepLateMs = 3 * sweepEveryMs
const tidyEveryMs = 10_000
/** Longer than the table keeps returning a notice. */
const seenForMs = 60_000

export interface ListenOptions {
  url: string
  database: Connection
  onNotice: (notice: Notice) => void
  /** Called once when notices can no longer be received or read, and not again before they could. */
  onError: (error: Error) => void
}

/**
 * Receives the notices of other nodes within milliseconds while its connection is up, and reads them from the
 * table within half a second while the database responds at all. The two ways share only the database.
 */
export class PostgresNoticeListener implements NoticeListener {
  readonly #options: ListenOptions
  readonly #table: NoticeTable
  readonly #seen = new Map<string, number>()
  #client: Client | undefined
  #timer: NodeJS.Timeout | undefined
  #sweepTimer: NodeJS.Timeout | undefined
  #retryMs = firstRetryMs
  #lost = false
  #sweepFails = false
  #closed = false
  #readAtMs = 0
  #tidiedAtMs = performance.now()
  sweptUp = 0

  private constructor(options: ListenOptions) {
    this.#options = options
    this.#table = new NoticeTable(options.database)
  }

  /** Resolves once it listens. Rejects if the database cannot be reached. */
  static async start(options: ListenOptions): Promise<PostgresNoticeListener> {
    const listener = new PostgresNoticeListener(options)
    await listener.#connect()
    // Everything that this node will read already includes the changes of earlier notices.
    for (const { id } of await listener.#table.read()) listener.#seen.set(id, performance.now())
    listener.#readAtMs = performance.now()
    listener.#scheduleIn(probeEveryMs)
    listener.#sweepIn(sweepEveryMs)
    return listener
  }

  get state(): NoticeState {
    if (performance.now() - this.#readAtMs > sweepLateMs) return this.#lost ? 'deaf' : 'listening'
    return this.#lost ? 'reading' : 'listening'
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#sweepTimer)
    await this.#client?.end()
  }

  async #connect(): Promise<void> {
    const client = new Client({
      connectionString: this.#options.url,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: probeTimeoutMs,
      keepAlive: true,
      application_name: 'turnpike notices',
    })
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, new Error('the connection was closed')))
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''))
    try {
      await client.connect()
      await client.query(`LISTEN ${channel}`)
    } catch (error) {
      client.end().catch(alreadyGone)
      throw error
    }
    if (this.#closed) return void client.end().catch(alreadyGone)
    this.#client = client
    this.#lost = false
    this.#retryMs = firstRetryMs
  }

  #lose(client: Client, error: Error): void {
    if (this.#closed || this.#client !== client) return
    this.#client = undefined
    if (!this.#lost) this.#options.onError(error)
    this.#lost = true
    client.end().catch(alreadyGone)
    this.#scheduleIn(0)
  }

  #scheduleIn(delayMs: number): void {
    if (this.#closed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#turn(), delayMs).unref()
  }

  /** Checks the connection, or tries to listen again without one. */
  async #turn(): Promise<void> {
    const client = this.#client
    try {
      if (client === undefined) await this.#connect()
      else await client.query('SELECT 1')
      this.#scheduleIn(probeEveryMs)
    } catch (error) {
      if (this.#client !== undefined) this.#lose(this.#client, toError(error))
      // All nodes lose the database at once, and should not come back at once.
      this.#scheduleIn(this.#retryMs * (0.5 + Math.random() / 2))
      this.#retryMs = Math.min(2 * this.#retryMs, longestRetryMs)
    }
  }

  #sweepIn(delayMs: number): void {
    if (this.#closed) return
    this.#sweepTimer = setTimeout(() => void this.#sweep(), delayMs).unref()
  }

  async #sweep(): Promise<void> {
    try {
      for (const row of await this.#table.read()) if (this.#take(row)) this.sweptUp++
      this.#readAtMs = performance.now()
      this.#sweepFails = false
      if (this.#readAtMs - this.#tidiedAtMs > tidyEveryMs) await this.#tidy()
    } catch (error) {
      if (!this.#sweepFails && !this.#closed) this.#options.onError(toError(error))
      this.#sweepFails = true
    }
    this.#sweepIn(sweepEveryMs)
  }

  async #tidy(): Promise<void> {
    this.#tidiedAtMs = performance.now()
    for (const [id, seenAtMs] of this.#seen) {
      if (this.#tidiedAtMs - seenAtMs > seenForMs) this.#seen.delete(id)
    }
    await this.#table.dropOld()
  }

  #hear(payload: string): void {
    const space = payload.indexOf(' ')
    if (space > 0) this.#take({ id: payload.slice(0, space), notice: payload.slice(space + 1) })
  }

  /** Returns false if the notice was known. */
  #take({ id, notice }: NoticeRow): boolean {
    if (this.#closed || this.#seen.has(id)) return false
    this.#seen.set(id, performance.now())
    this.#options.onNotice(JSON.parse(notice) as Notice)
    return true
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** Ignores the failure to close a lost connection. */
function alreadyGone(): void {
  return
}
