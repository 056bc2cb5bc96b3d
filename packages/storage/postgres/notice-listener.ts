import type { Kysely } from 'kysely'
import { Client } from 'pg'
import { databaseNowMs } from '../database-clock.ts'
import type { Notice, NoticeListener } from '../notices.ts'
import type { Schema } from '../schema.ts'

const channel = 'turnpike'
const connectTimeoutMs = 5_000
/** Between attempts to listen; meanwhile the table is read as often. */
const retryMs = 250
/** A connection that died in silence is noticed by a query that is not answered. */
const probeEveryMs = 5_000
const probeTimeoutMs = 2_000
/** A notice is seen when its transaction commits, which may be so long after the time that it bears. */
const overlapMs = 10_000
const keptForMs = 60_000

export interface ListenOptions {
  url: string
  database: Kysely<Schema>
  onNotice: (notice: Notice) => void
  /** Told once when the listening connection is lost, not again before it was back. */
  onError: (error: Error) => void
}

/**
 * Hears what other nodes tell, within milliseconds while its connection stands. While it does not, and once
 * it is back, the table of notices is read, so that none is missed.
 */
export class PostgresNoticeListener implements NoticeListener {
  readonly #options: ListenOptions
  readonly #seen = new Map<string, number>()
  #client: Client | undefined
  #timer: NodeJS.Timeout | undefined
  #lost = false
  #closed = false
  /** By the database's clock. */
  #readUpToMs: bigint | undefined

  private constructor(options: ListenOptions) {
    this.#options = options
  }

  /** Resolves once it listens; rejects where the database cannot be reached. */
  static async start(options: ListenOptions): Promise<PostgresNoticeListener> {
    const listener = new PostgresNoticeListener(options)
    listener.#readUpToMs = await listener.#now()
    await listener.#connect()
    listener.#scheduleIn(probeEveryMs)
    return listener
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
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
    this.#client = client
    this.#lost = false
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

  /** While it listens, it makes sure that it does; else it reads, and tries to listen again. */
  async #turn(): Promise<void> {
    const client = this.#client
    try {
      if (client === undefined) {
        await this.#read()
        await this.#connect()
        // What was told between the two.
        await this.#read()
      } else {
        await client.query('SELECT 1')
        await this.#forget()
      }
      this.#scheduleIn(probeEveryMs)
    } catch (error) {
      if (this.#client !== undefined) this.#lose(this.#client, toError(error))
      this.#scheduleIn(retryMs)
    }
  }

  async #read(): Promise<void> {
    const { database } = this.#options
    const nowMs = await this.#now()
    const rows = await database
      .selectFrom('notices')
      .select(['id', 'notice'])
      .where('created_at_ms', '>', (this.#readUpToMs ?? nowMs) - BigInt(overlapMs))
      .orderBy('created_at_ms')
      .execute()
    this.#readUpToMs = nowMs
    for (const { id, notice } of rows) this.#take(id, notice)
  }

  async #now(): Promise<bigint> {
    const nowMs = databaseNowMs('postgres').as('now_ms')
    const row = await this.#options.database.selectNoFrom(nowMs).executeTakeFirstOrThrow()
    return row.now_ms
  }

  /** Old notices are of no use to any node: whoever was away for so long has lost its leases. */
  async #forget(): Promise<void> {
    const nowMs = await this.#now()
    this.#readUpToMs = nowMs
    const { database } = this.#options
    await database
      .deleteFrom('notices')
      .where('created_at_ms', '<', nowMs - BigInt(keptForMs))
      .execute()
    for (const [id, seenAtMs] of this.#seen) {
      if (performance.now() - seenAtMs > keptForMs) this.#seen.delete(id)
    }
  }

  #hear(payload: string): void {
    const space = payload.indexOf(' ')
    if (space > 0) this.#take(payload.slice(0, space), payload.slice(space + 1))
  }

  #take(id: string, notice: string): void {
    if (this.#closed || this.#seen.has(id)) return
    this.#seen.set(id, performance.now())
    this.#options.onNotice(JSON.parse(notice) as Notice)
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** The connection is lost as it is: there is nothing to tell anybody. */
function alreadyGone(): void {
  return
}
