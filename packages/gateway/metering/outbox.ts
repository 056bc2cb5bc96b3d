import type { LeaseBook } from '@turnpike/billing'
import { GatewayError } from '@turnpike/protocol'
import type { GatewayLog } from '../log.ts'
import { recordFromPayload, recordToPayload } from './record-payload.ts'
import type { RequestRecord } from './request-record.ts'
import type { RequestStore } from './stores.ts'

/**
 * The local file behind the outbox; implemented by `packages/storage`. Every call is synchronous and local:
 * when `append` returns, the rows survive the death of this process.
 */
export interface OutboxFile {
  /** Adds rows in one commit; answers the number of the last one. Numbers only grow. */
  append(payloads: readonly string[]): number
  /** The oldest rows above a number. */
  read(above: number, limit: number): { sequence: number; payload: string }[]
  /** Removes rows up to and with this number. */
  remove(through: number): void
  /** Keeps a row that the database refuses for good apart from the others, for a person to look at. */
  setAside(payload: string, reason: string): void
  count(): number
}

/** A batch for the database; a larger one would hold its locks for long. */
const batchRows = 500
/**
 * Rows wait this long for company, or for a whole batch: a row costs the database a third in a large batch of
 * what it costs in a small one. Who reads asks for a flush first.
 */
const flushDelayMs = 1_000
const firstRetryMs = 200
const maxRetryMs = 5_000
/** More rows than this wait only while the database is away: new requests are then refused. */
const maxRows = 200_000
/** After a row could not be written, the next request that may try is so far away. */
const retryWriteAfterMs = 1_000

/** Rows kept in memory as well, so that they need not be read back; beyond it only the file has them. */
const maxRemembered = 5_000

interface Waiting {
  record: RequestRecord
  resolve: () => void
  reject: (error: unknown) => void
}

/** What the flusher needs of a row: of the record itself only its text is kept. */
interface Row {
  sequence: number
  payload: string
  keyId: string
  chargePico: bigint
}

/**
 * Finished requests on their way to the database. A row is safe in a local file before the answer's last
 * bytes go out, and is moved to the database behind the requests' backs, as often as it takes.
 */
export class Outbox {
  readonly #file: OutboxFile
  readonly #store: RequestStore
  readonly #leases: LeaseBook
  readonly #nodeId: string
  readonly #log: GatewayLog
  #waiting: Waiting[] = []
  /** The rows behind `#flushedThrough`, without a gap as far as they go. */
  #remembered: Row[] = []
  #rows: number
  #flushedThrough = 0
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined
  #closed = false
  /** 0 while the database takes rows. */
  #retryMs = 0
  #failedAtMs = Number.NEGATIVE_INFINITY

  constructor(file: OutboxFile, store: RequestStore, leases: LeaseBook, nodeId: string, log: GatewayLog) {
    this.#file = file
    this.#store = store
    this.#leases = leases
    this.#nodeId = nodeId
    this.#log = log
    this.#rows = file.count()
  }

  /**
   * @throws {GatewayError} 503 where the outbox is full or the disk took no row a moment ago, so that no
   * answer
   * is given that cannot be charged
   */
  requireRoom(): void {
    if (this.#rows < maxRows && performance.now() - this.#failedAtMs > retryWriteAfterMs) return
    throw new GatewayError(
      'service_unavailable',
      'The gateway cannot record requests at the moment; please retry.',
      {
        retryAfterSeconds: 5,
        detail: `the outbox holds ${this.#rows} rows`,
      },
    )
  }

  /** Resolves once the record is safe; all records of one turn of the event loop share a commit. */
  append(record: RequestRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#commit())
      this.#waiting.push({ record, resolve, reject })
    })
  }

  /** Moves everything that is there now to the database; rejects where the database refuses. */
  async flush(): Promise<void> {
    if (this.#waiting.length > 0) this.#commit()
    await this.#flushing
    await this.#run()
  }

  /** Stops the flusher after a last attempt; what is left stays in the file for the next start. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.flush()
  }

  get rows(): number {
    return this.#rows
  }

  #commit(): void {
    const waiting = this.#waiting
    if (waiting.length === 0) return
    this.#waiting = []
    try {
      const payloads = waiting.map((one) => recordToPayload(one.record))
      const last = this.#file.append(payloads)
      this.#remember(waiting, payloads, last)
    } catch (error) {
      this.#failedAtMs = performance.now()
      this.#log.error({ error: String(error), rows: waiting.length }, 'outbox: rows could not be written')
      for (const one of waiting) one.reject(error)
      return
    }
    this.#rows += waiting.length
    this.#schedule()
    for (const one of waiting) one.resolve()
  }

  /** Rows are remembered only while none before them is in the file alone. */
  #remember(waiting: readonly Waiting[], payloads: readonly string[], last: number): void {
    if (this.#rows !== this.#remembered.length || this.#rows >= maxRemembered) return
    const first = last - waiting.length + 1
    for (const [index, payload] of payloads.entries())
      this.#remembered.push(rowOf(first + index, payload, waiting[index]!.record))
  }

  /** A whole batch goes at once, fewer rows after a while. A run under way schedules the next one itself. */
  #schedule(): void {
    if (this.#closed || this.#flushing !== undefined) return
    if (this.#rows >= batchRows && this.#retryMs === 0) this.#runBehind()
    else this.#timer ??= setTimeout(() => this.#runBehind(), this.#retryMs || flushDelayMs).unref()
  }

  /** Behind the requests, where nobody waits for it: a failure is logged, and tried again. */
  #runBehind(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#run().catch((error: unknown) => {
      const fields = { error: String(error), rows: this.#rows, retryMs: this.#retryMs }
      this.#log.warn(fields, 'outbox: the database took no rows')
    })
  }

  /** One run at a time: those that come meanwhile share it. */
  #run(): Promise<void> {
    this.#flushing ??= this.#moveAll().finally(() => {
      this.#flushing = undefined
      if (this.#rows > 0) this.#schedule()
    })
    return this.#flushing
  }

  /** After ever longer pauses while the database takes nothing. */
  async #moveAll(): Promise<void> {
    try {
      await this.#moveBatches()
      this.#retryMs = 0
    } catch (error) {
      this.#retryMs = Math.min(Math.max(firstRetryMs, this.#retryMs * 2), maxRetryMs)
      throw error
    }
  }

  /** What is there now; what comes meanwhile waits for company again. */
  async #moveBatches(): Promise<void> {
    let left = this.#rows
    while (left > 0) {
      const rows = this.#oldest()
      const last = rows.at(-1)
      if (last === undefined) return
      const payloads = rows.map((row) => row.payload)
      const written = await this.#store.writePayloads(this.#nodeId, payloads)
      for (const row of rows) this.#leases.flushed(row.keyId, row.chargePico)
      for (const [keyId, pico] of written.uncoveredPico) this.#leases.uncovered(keyId, pico)
      for (const refused of written.refused) this.#setAside(payloads, refused)
      this.#file.remove(last.sequence)
      this.#flushedThrough = last.sequence
      this.#remembered.splice(0, this.#remembered.length === 0 ? 0 : rows.length)
      this.#rows -= rows.length
      left -= rows.length
    }
  }

  /** A row that no retry can bring in must not hold up all others, and must not be lost either. */
  #setAside(payloads: readonly string[], { id, message }: { id: string; message: string }): void {
    const payload = payloads.find((one) => recordFromPayload(one).id === id)
    if (payload === undefined) return
    this.#file.setAside(payload, message)
    this.#log.error(
      { requestId: id, reason: message },
      'outbox: the database refused a row, which was set aside',
    )
  }

  #oldest(): Row[] {
    if (this.#remembered.length > 0) return this.#remembered.slice(0, batchRows)
    if (this.#rows === 0) return []
    const rows = this.#file.read(this.#flushedThrough, batchRows)
    return rows.map(({ sequence, payload }) => rowOf(sequence, payload, recordFromPayload(payload)))
  }
}

function rowOf(sequence: number, payload: string, { keyId, chargePico }: RequestRecord): Row {
  return { sequence, payload, keyId, chargePico }
}
