import type { SpendBook } from '@turnpike/billing'
import { GatewayError } from '@turnpike/protocol'
import type { GatewayLog } from '../services/log.ts'
import { recordToLine } from './record-line.ts'
import type { RequestRecord } from './request-record.ts'
import type { RefusedRecord, RequestStore } from './stores.ts'

/**
 * The local log behind the outbox; implemented by `packages/storage`. Appending is synchronous and local:
 * once it returns, the rows survive the death of this process.
 */
export interface OutboxLog {
  /** Adds all rows or none. */
  append(lines: readonly string[]): void
  /**
   * Resolves once everything appended so far also survives a power cut; undefined if that is not configured.
   * If it rejects, everything appended since the last sync is gone from the log and will not be charged.
   */
  awaitSync(): Promise<void> | undefined
  /** The oldest rows. Returns a few more than requested if they were appended together. */
  oldest(atLeastRows: number): OutboxBatch | undefined
  /** Removes the oldest rows. */
  remove(batch: OutboxBatch): void
  /** Sets aside a row that the database rejects for good, for an operator to inspect. */
  setAside(payload: string, reason: string): void
  readonly rows: number
  /** How many rows may be moved: the others are not yet known to be durable enough. */
  readonly readyRows: number
  readonly bytes: number
  /** What could not be moved, and is in no ledger. */
  readonly keptApart: {
    rows: number
    /** The charges of those rows that can be read. */
    chargePico: bigint
    /** In the log's own files. */
    damagedBytes: number
  }
}

export interface OutboxBatch {
  /** One record per line, in UTF-8. */
  lines: Uint8Array<ArrayBuffer>
  rows: number
  /** The log's own position after them. */
  end: number
}

/** Rows per batch, unless the database wants more; a larger batch would hold its locks for long. */
const usualBatchRows = 500
/**
 * How long rows wait for a larger batch: in a large batch, a row costs the database a third of what it costs
 * in a small one. Readers request a flush first.
 */
const flushDelayMs = 1_000
const firstRetryMs = 200
const maxRetryMs = 5_000
/** More rows only accumulate while the database is unavailable; new requests are then rejected. */
const maxRows = 200_000
const maxBytes = 512 * 1024 * 1024
/** After a row could not be written, how long until a request may try again. */
const retryWriteAfterMs = 1_000

/** The rows of one turn of the event loop, which share a write. */
interface Turn {
  readonly lines: string[]
  readonly written: PromiseWithResolvers<void>
}

/**
 * Moves finished requests to the database. A row is safe in a local file before the answer's last bytes go
 * out; moving it happens after the request, and is retried until it succeeds.
 */
export class Outbox {
  readonly #rows: OutboxLog
  readonly #store: RequestStore
  readonly #batchRows: number
  readonly #leases: Pick<SpendBook, 'flushed'>
  readonly #nodeId: string
  readonly #log: GatewayLog
  /** How often a disk write or a whole batch failed, and how many rows were rejected for good. */
  readonly tally = { failedWrites: 0, failedFlushes: 0, setAside: 0 }
  #turn: Turn | undefined
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined
  /** The current run also moves incomplete batches. */
  #movesRest = false
  #closed = false
  /** 0 while the database takes rows. */
  #retryMs = 0
  #failedAtMs = Number.NEGATIVE_INFINITY
  /** When the database last took rows, or when there were last none to move. */
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
    this.#batchRows = store.batchRows ?? usualBatchRows
    this.#leases = leases
    this.#nodeId = nodeId
    this.#log = log
  }

  /**
   * @throws {GatewayError} 503 if the outbox is full or the disk just failed: no answer without its charge
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

  /**
   * Resolves once the record is safe. All records of one turn of the event loop share a write.
   * @throws {Error} if the record cannot be written as a row, which does not affect others of the same turn
   */
  append(record: RequestRecord): Promise<void> {
    const line = this.#lineOf(record)
    if (this.#turn === undefined) {
      this.#turn = { lines: [], written: Promise.withResolvers() }
      setImmediate(this.#writeTurn)
    }
    this.#turn.lines.push(line)
    return this.#turn.written.promise
  }

  /** Moves all current rows to the database. Rejects if the database rejects them or is unavailable. */
  async flush(): Promise<void> {
    this.#writeTurn()
    await this.#rows.awaitSync()?.catch(ignoreRejection)
    await this.#flushing
    await this.#run(true)
  }

  /** Stops the flusher after a last attempt. What is left stays in the file for the next start. */
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

  /** Rows that are in no ledger and wait for an operator, and bytes that are no rows. */
  get keptApart(): OutboxLog['keptApart'] {
    return this.#rows.keptApart
  }

  /** How long there have been rows without the database taking any; 0 if there are none. */
  get waitingMs(): number {
    return this.rows === 0 ? 0 : performance.now() - this.#movedAtMs
  }

  readonly #writeTurn = (): void => {
    const turn = this.#turn
    if (turn === undefined) return
    this.#turn = undefined
    if (this.rows === 0) this.#movedAtMs = performance.now()
    try {
      this.#rows.append(turn.lines)
    } catch (error) {
      this.#refuse(turn, error)
      return
    }
    const synced = this.#rows.awaitSync()
    if (synced === undefined) this.#resolve(turn)
    else
      synced.then(
        () => this.#resolve(turn),
        (error: unknown) => this.#refuse(turn, error),
      )
  }

  #lineOf(record: RequestRecord): string {
    try {
      return recordToLine(record)
    } catch (error) {
      this.tally.failedWrites++
      this.#log.error({ error: String(error), requestId: record.id }, 'outbox: a row cannot be written')
      throw error
    }
  }

  #resolve({ written }: Turn): void {
    this.#schedule()
    written.resolve()
  }

  #refuse({ lines, written }: Turn, error: unknown): void {
    this.#failedAtMs = performance.now()
    this.tally.failedWrites++
    this.#log.error({ error: String(error), rows: lines.length }, 'outbox: rows could not be written')
    written.reject(error)
  }

  /** Starts a run: at once for a whole batch, later for fewer rows. A current run schedules the next. */
  #schedule(): void {
    if (this.#closed || this.#flushing !== undefined) return
    if (this.#rows.readyRows >= this.#batchRows && this.#retryMs === 0) this.#runBehind(false)
    else this.#timer ??= setTimeout(() => this.#runBehind(true), this.#retryMs || flushDelayMs).unref()
  }

  /** Runs in the background: a failure is logged and retried. */
  #runBehind(movesRest: boolean): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#run(movesRest).catch((error: unknown) => {
      const fields = { error: String(error), rows: this.rows, retryMs: this.#retryMs }
      this.#log.warn(fields, 'outbox: rows could not be written to the database; they are tried again')
    })
  }

  /**
   * One run at a time: calls during a run share it.
   * @param movesRest also move what is left after the whole batches
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

  /** With ever longer pauses while the database takes nothing. */
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

  /** Moves the current rows; later ones wait for a batch again. */
  async #moveBatches(): Promise<void> {
    let left = this.#rows.readyRows
    while (left >= this.#batchRows || (left > 0 && this.#movesRest)) {
      const batch = this.#rows.oldest(this.#batchRows)
      if (batch === undefined) return
      const written = await this.#store.writeLines(this.#nodeId, batch.lines)
      this.#leases.flushed(written.chargedPico, written.leases)
      for (const refused of written.refused) this.#setAside(refused)
      this.#rows.remove(batch)
      this.#movedAtMs = performance.now()
      left -= batch.rows
    }
  }

  /** Sets aside a row that no retry can save: it must neither block the others nor be lost. */
  #setAside({ payload, requestId, message }: RefusedRecord): void {
    this.#rows.setAside(payload, message)
    this.tally.setAside++
    const fields = { requestId, reason: message }
    this.#log.error(fields, 'outbox: the database rejected a row; it was set aside')
  }
}

/** Whoever awaits these rows handles the rejection; the run goes on with others. */
function ignoreRejection(): void {}
