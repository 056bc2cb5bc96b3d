import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { FormatName } from '@turnpike/dialects'
import { setTimeout as delay } from 'node:timers/promises'
import { KeyMissing, KeyRing } from '../kept/key-ring.ts'
import { BatchWriter } from '../services/batch-writer.ts'
import type { GatewayLog } from '../services/log.ts'
import { Budget } from './budget.ts'
import { Capture } from './capture.ts'
import type { LogEntry } from './entry.ts'
import { promptLogPurpose } from './purpose.ts'
import type { OwnPattern } from './redaction/own-patterns.ts'
import { Sealer } from './sealer.ts'
import type { LogDays, LogFigures, PromptLogStore, SealedLog } from './store.ts'

const decompress = promisify(zstdDecompress)

/** Captured from requests in progress, or waiting to be sealed. */
const mostCollectedBytes = 96 * 1024 * 1024
/** Sealed, and waiting for the database. */
const mostWaitingBytes = 32 * 1024 * 1024
/**
 * How much to capture, as a multiple of what is kept: stream events repeat a text at twenty times its length.
 */
const collectedOfKept = 16
/** How long a reader waits for entries that are still being written; the first entry starts a thread. */
const readerWaitsMs = 10_000
/** Entries that are open in memory at the same time. */
const listedAtOnce = 8
/** How long a stopping node waits for the sealing to finish. */
const closingMs = 2_000

export interface PromptLogSettings {
  /** 32 bytes each; the first one seals, all of them open. */
  encryptionKeys: readonly Buffer[]
  /** How many days an entry is kept. */
  days: LogDays
  /** The largest request, and the largest answer, as JSON. */
  maxBytes: number
  /** The largest total of an account's entries, sealed. */
  maxAccountBytes: number
  /** The operator's patterns, in addition to the built-in ones. */
  patterns: readonly OwnPattern[]
}

/** Counts of logged and dropped requests. */
export interface PromptLogTally {
  written: number
  /** Their account or key no longer wants them, or has deleted them meanwhile. */
  unwanted: number
  /** Too much was waiting. */
  noRoom: number
  /** They could not be sealed, the database rejected them, or the process ended first. */
  failed: number
  /** Older entries that made room for new ones of their account. */
  evicted: number
}

/** The request whose log to find. */
export interface LoggedRequest {
  requestId: string
  accountId: string
  keyId: string
  createdAtMs: number
}

/** What was found of a request. */
export interface FoundLog {
  createdAtMs: number
  /** The entry; or why it cannot be read: none of the operator's keys opens it, or it is damaged. */
  entry: LogEntry | 'key_missing' | 'damaged'
}

/** An entry in a list, with its request. */
export interface ListedLog extends FoundLog {
  requestId: string
}

interface Waiting {
  log: SealedLog
  bytes: number
}

/**
 * Keeps prompts and answers for accounts that want them: captures them as they pass, redacts and seals them
 * on another thread, and writes them after the request. docs/security.md describes how they are stored.
 */
export class PromptLog {
  readonly settings: PromptLogSettings
  readonly #store: PromptLogStore
  readonly #keys: KeyRing
  readonly #sealer: Sealer
  readonly #log: GatewayLog
  readonly #batches: BatchWriter<Waiting>
  readonly #budget = new Budget(mostCollectedBytes)
  /** By request: entries that are not yet passed to `#batches`. */
  readonly #sealing = new Map<string, { accountId: string; ended: Promise<void> }>()
  readonly tally: PromptLogTally = { written: 0, unwanted: 0, noRoom: 0, failed: 0, evicted: 0 }

  constructor(store: PromptLogStore, settings: PromptLogSettings, log: GatewayLog) {
    this.settings = settings
    this.#store = store
    this.#keys = new KeyRing(settings.encryptionKeys, promptLogPurpose)
    this.#sealer = new Sealer(settings)
    this.#log = log
    this.#batches = new BatchWriter({
      write: (batch) => this.#write(batch),
      onAway: (error, entries, retryMs) =>
        log.warn(
          { error: String(error), entries, retryMs },
          'entries of the prompt log could not be written to the database',
        ),
      onRefused: ({ log: { requestId } }, error) => this.#logFailure(requestId, error),
    })
  }

  /** Bytes that are captured, or wait for the database. */
  get waitingBytes(): number {
    return this.#budget.taken + this.#batches.bytes
  }

  /** Begins to capture one request, until `add`. */
  begin(): Capture {
    return new Capture(this.#budget, collectedOfKept * this.settings.maxBytes)
  }

  /** Keeps what was captured of a finished request. Never throws, and returns at once. */
  add(seen: Capture, of: LoggedRequest & { format: FormatName; path: string; status: number }): void {
    seen.close()
    const { accountId, requestId } = of
    const ended = this.#seal(seen, of).finally(() => {
      seen.release()
      this.#sealing.delete(requestId)
    })
    this.#sealing.set(requestId, { accountId, ended })
  }

  /**
   * Finds the log of an account's request; undefined if there is none, or it belongs to another account.
   * @throws {GatewayError} 503 if the store is unavailable
   */
  async find(accountId: string, requestId: string): Promise<FoundLog | undefined> {
    if (this.#isUnderWay(accountId, requestId)) await this.#awaitWritten(requestId)
    const found = await this.#store.find(accountId, requestId, this.settings.days, Date.now())
    return found && { createdAtMs: found.createdAtMs, entry: await this.#open(found) }
  }

  /** Whether `find` would find one, now or in a moment. */
  async has(accountId: string, requestId: string): Promise<boolean> {
    if (this.#isUnderWay(accountId, requestId)) return true
    return this.#store.has(accountId, requestId, this.settings.days, Date.now())
  }

  /**
   * The next few readable entries of an account after the given one, in the order of their requests. Entries
   * still on their way to the store may be missing.
   * @throws {GatewayError} 503 if the store is unavailable
   */
  async page(accountId: string, after: ListedLog | undefined): Promise<ListedLog[]> {
    const page = { limit: listedAtOnce, after }
    const found = await this.#store.page(accountId, this.settings.days, Date.now(), page)
    const opened: ListedLog[] = []
    // One after the other: each may be megabytes once opened.
    for (const one of found)
      opened.push({
        requestId: one.requestId,
        createdAtMs: one.createdAtMs,
        entry: await this.#open(one),
      })
    return opened
  }

  /** Deletes the log of a request. No node will write it later. */
  drop(request: LoggedRequest): Promise<void> {
    return this.#store.drop(request)
  }

  /**
   * Deletes all entries of an account, or of one of its keys. None of an earlier request will be written
   * later.
   * @returns how many there were
   */
  async dropAll(accountId: string, keyId?: string): Promise<number> {
    return this.#store.dropAll(accountId, keyId, Date.now())
  }

  figures(accountId: string): Promise<LogFigures> {
    return this.#store.figures(accountId)
  }

  /** Writes everything that waits. */
  async close(): Promise<void> {
    const sealed = Promise.all(Array.from(this.#sealing.values(), ({ ended }) => ended))
    await Promise.race([sealed, delay(closingMs, undefined, { ref: false })])
    await this.#sealer.close()
    await sealed
    const lost = await this.#batches.close()
    if (lost === 0) return
    this.tally.failed += lost
    this.#log.error({ entries: lost }, 'entries of the prompt log are lost: the database did not accept them')
  }

  #isUnderWay(accountId: string, requestId: string): boolean {
    const waiting = this.#sealing.get(requestId) ?? this.#batches.get(requestId)?.log
    return waiting?.accountId === accountId
  }

  /** Waits until the entry is in the database, or the time is up. */
  async #awaitWritten(requestId: string): Promise<void> {
    const writeNow = async (): Promise<void> => {
      await this.#sealing.get(requestId)?.ended
      await this.#batches.run()
    }
    await Promise.race([writeNow(), delay(readerWaitsMs, undefined, { ref: false })])
  }

  async #seal(seen: Capture, of: Parameters<PromptLog['add']>[1]): Promise<void> {
    const { requestId, accountId, keyId, createdAtMs, format, path, status } = of
    try {
      const { sealed, plainBytes } = await this.#sealer.seal({
        of: { accountId, id: requestId },
        seen: { format, path, status, body: seen.body, answer: seen.answer, isStream: seen.isStream },
      })
      if (this.#batches.isClosed || this.#batches.bytes + sealed.length > mostWaitingBytes) {
        this.tally.noRoom++
        this.#log.warn({ requestId }, 'a prompt is not logged: too many are waiting for the database')
        return
      }
      const keyName = this.#keys.name
      const log = { requestId, accountId, keyId, createdAtMs, keyName, plainBytes, sealed }
      this.#batches.add(requestId, { log, bytes: sealed.length })
    } catch (error) {
      this.#logFailure(requestId, error)
    }
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const logs = batch.map(({ log }) => log)
    const { written, evicted } = await this.#store.write(logs, this.settings.maxAccountBytes)
    this.tally.written += written
    this.tally.unwanted += logs.length - written
    this.tally.evicted += evicted
  }

  #logFailure(requestId: string, error: unknown): void {
    this.tally.failed++
    this.#log.error({ requestId, error: String(error) }, 'a prompt could not be logged')
  }

  async #open(found: SealedLog): Promise<FoundLog['entry']> {
    const { requestId, accountId, keyName, plainBytes } = found
    try {
      const packed = this.#keys.unseal(found.sealed, keyName, { accountId, id: requestId }, 'log')
      const plain = await decompress(packed, { maxOutputLength: Math.max(1, plainBytes) })
      return JSON.parse(plain.toString('utf8')) as LogEntry
    } catch (error) {
      this.#log.error({ requestId, error: String(error) }, 'an entry of the prompt log cannot be decrypted')
      return error instanceof KeyMissing ? 'key_missing' : 'damaged'
    }
  }
}
