import type { SpendBook } from '@turnpike/billing'
import { GatewayError } from '@turnpike/protocol'
import type { GatewayLog } from '../services/log.ts'
import { recordToPayload } from './record-payload.ts'
import type { RequestRecord } from './request-record.ts'
import type { RefusedRecord, RequestStore } from './stores.ts'

/**
 * The local log behind the outbox; implemented by `packages/storage`. Appending is synchronous and local:
 * when it returns, the rows survive the death of this process.
 */
export interface OutboxLog {
  /** Adds rows, all of them or none. */
  append(payloads: readonly string[]): void
  /**
   * Resolves once all that was appended survives a power cut too; undefined where nobody asked for that.
   * Where it rejects, what was appended since the last time is gone from the log: nobody will be charged for
   * it.
   */
  awaitSync(): Promise<void> | undefined
  /** The oldest rows that were not removed; a few more than asked for where they were appended together. */
  oldest(atLeastRows: number): OutboxBatch | undefined
  /** Removes the oldest rows. */
  remove(batch: OutboxBatch): void
  /** Keeps a row that the database refuses for good apart from the others, for a person to look at. */
  setAside(payload: string, reason: string): void
  readonly rows: number
  /** Those of them that may be moved: the others are not known yet to survive what they are to survive. */
  readonly readyRows: number
  readonly bytes: number
  /** What could not be moved, and is in no ledger. */
  readonly keptApart: {
    rows: number
    /** What was charged by those of them that can be read. */
    chargePico: bigint
    /** Of the log's own files. */
    damagedBytes: number
  }
}

export interface OutboxBatch {
  /** A record's payload a line, in UTF-8. */
  lines: Uint8Array<ArrayBuffer>
  rows: number
  /** The log's own mark of where they end. */
  end: number
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
/** More than this waits only while the database is away: new requests are then refused. */
const maxRows = 200_000
const maxBytes = 512 * 1024 * 1024
/** After a row could not be written, the next request that may try is so far away. */
const retryWriteAfterMs = 1_000

interface Waiting {
  record: RequestRecord
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Finished requests on their way to the database. A row is safe in a local file before the answer's last
 * bytes go out, and is moved to the database behind the requests' backs, as often as it takes.
 */
export class Outbox {
  readonly #rows: OutboxLog
  readonly #store: RequestStore
  readonly #leases: Pick<SpendBook, 'flushed'>
  readonly #nodeId: string
  readonly #log: GatewayLog
  /**
   * How often rows could not be written to the disk, how often the database took none of a batch, and how
   * many it refused for good.
   */
  readonly tally = { failedWrites: 0, failedFlushes: 0, setAside: 0 }
  #waiting: Waiting[] = []
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined
  /** The run under way also moves what is no whole batch. */
  #movesRest = false
  #closed = false
  /** 0 while the database takes rows. */
  #retryMs = 0
  #failedAtMs = Number.NEGATIVE_INFINITY
  /** When the database last took rows, or when there were none before. */
  #movedAtMs = performance.now()

  constructor(
    rows: OutboxLog,
    store: RequestStore,
    leases: Pick<SpendBook, 'flushed'>,
    nodeId: string,
    log: GatewayLog,
  ) {
    this.#rows = rows
    this.#store = store
    this.#leases = leases
    this.#nodeId = nodeId
    this.#log = log
  }

  /**
   * @throws {GatewayError} 503 where the outbox is full or the disk took no row a moment ago, so that no
   * answer is given that cannot be charged
   */
  requireRoom(): void {
    const { rows, bytes } = this.#rows
    if (rows < maxRows && bytes < maxBytes && performance.now() - this.#failedAtMs > retryWriteAfterMs) return
    throw new GatewayError(
      'service_unavailable',
      'The gateway cannot record requests at the moment; please retry.',
      {
        retryAfterSeconds: 5,
        detail: `the outbox holds ${rows} rows, ${bytes} bytes`,
      },
    )
  }

  /** Resolves once the record is safe; all records of one turn of the event loop share a write. */
  append(record: RequestRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(this.#writeWaiting)
      this.#waiting.push({ record, resolve, reject })
    })
  }

  /** Moves everything that is there now to the database; rejects where the database refuses. */
  async flush(): Promise<void> {
    this.#writeWaiting()
    await this.#rows.awaitSync()?.catch(ignoreRejection)
    await this.#flushing
    await this.#run(true)
  }

  /** Stops the flusher after a last attempt; what is left stays in the file for the next start. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.flush()
  }

  get rows(): number {
    return this.#rows.rows
  }

  get bytes(): number {
    return this.#rows.bytes
  }

  /** Rows that are in no ledger and wait for a person, and bytes that are no rows. */
  get keptApart(): OutboxLog['keptApart'] {
    return this.#rows.keptApart
  }

  /** For how long there have been rows of which the database took none; 0 where there are none. */
  get waitingMs(): number {
    return this.rows === 0 ? 0 : performance.now() - this.#movedAtMs
  }

  readonly #writeWaiting = (): void => {
    const waiting = this.#waiting
    if (waiting.length === 0) return
    this.#waiting = []
    if (this.rows === 0) this.#movedAtMs = performance.now()
    const payloads: string[] = []
    const written = waiting.filter((one) => this.#write(one, payloads))
    if (written.length === 0) return
    try {
      this.#rows.append(payloads)
    } catch (error) {
      this.#refuse(written, error)
      return
    }
    const synced = this.#rows.awaitSync()
    if (synced === undefined) this.#resolve(written)
    else
      synced.then(
        () => this.#resolve(written),
        (error: unknown) => this.#refuse(written, error),
      )
  }

  /** A record that cannot be written down does not keep those of the same turn from it. */
  #write({ record, reject }: Waiting, payloads: string[]): boolean {
    try {
      payloads.push(recordToPayload(record))
      return true
    } catch (error) {
      this.tally.failedWrites++
      this.#log.error({ error: String(error), requestId: record.id }, 'outbox: a row cannot be written')
      reject(error)
      return false
    }
  }

  #resolve(waiting: readonly Waiting[]): void {
    this.#schedule()
    for (const one of waiting) one.resolve()
  }

  #refuse(waiting: readonly Waiting[], error: unknown): void {
    this.#failedAtMs = performance.now()
    this.tally.failedWrites++
    this.#log.error({ error: String(error), rows: waiting.length }, 'outbox: rows could not be written')
    for (const one of waiting) one.reject(error)
  }

  /** A whole batch goes at once, fewer rows after a while. A run under way schedules the next one itself. */
  #schedule(): void {
    if (this.#closed || this.#flushing !== undefined) return
    if (this.#rows.readyRows >= batchRows && this.#retryMs === 0) this.#runBehind(false)
    else this.#timer ??= setTimeout(() => this.#runBehind(true), this.#retryMs || flushDelayMs).unref()
  }

  /** Behind the requests, where nobody waits for it: a failure is logged, and tried again. */
  #runBehind(movesRest: boolean): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#run(movesRest).catch((error: unknown) => {
      const fields = { error: String(error), rows: this.rows, retryMs: this.#retryMs }
      this.#log.warn(fields, 'outbox: rows could not be written to the database; they are tried again')
    })
  }

  /**
   * One run at a time: those that come meanwhile share it.
   * @param movesRest also what is left after the whole batches
   */
  #run(movesRest: boolean): Promise<void> {
    this.#movesRest ||= movesRest
    this.#flushing ??= this.#moveAll().finally(() => {
      this.#flushing = undefined
      this.#movesRest = false
      if (this.#rows.readyRows > 0) this.#schedule()
    })
    return this.#flushing
  }

  /** After ever longer pauses while the database takes nothing. */
  async #moveAll(): Promise<void> {
    try {
      await this.#moveBatches()
      this.#retryMs = 0
    } catch (error) {
      this.tally.failedFlushes++
      this.#retryMs = Math.min(Math.max(firstRetryMs, this.#retryMs * 2), maxRetryMs)
      throw error
    }
  }

  /** What is there now; what comes meanwhile waits for company again. */
  async #moveBatches(): Promise<void> {
    let left = this.#rows.readyRows
    while (left >= batchRows || (left > 0 && this.#movesRest)) {
      const batch = this.#rows.oldest(batchRows)
      if (batch === undefined) return
      const written = await this.#store.writeLines(this.#nodeId, batch.lines)
      this.#leases.flushed(written.chargedPico, written.leases)
      for (const refused of written.refused) this.#setAside(refused)
      this.#rows.remove(batch)
      this.#movedAtMs = performance.now()
      left -= batch.rows
    }
  }

  /** A row that no retry can bring in must not hold up all others, and must not be lost either. */
  #setAside({ payload, requestId, message }: RefusedRecord): void {
    this.#rows.setAside(payload, message)
    this.tally.setAside++
    const fields = { requestId, reason: message }
    this.#log.error(fields, 'outbox: the database rejected a row; it was set aside')
  }
}

/** Whoever waits for those rows; what else there is may be moved. */
function ignoreRejection(): void {}
