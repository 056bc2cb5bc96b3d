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

/** What is collected of requests under way, and waits to be sealed. */
const mostCollectedBytes = 96 * 1024 * 1024
/** What is sealed, and waits for the database. */
const mostWaitingBytes = 32 * 1024 * 1024
/** So many times what is kept of it is read of a side: events tell a text at twenty times its length. */
const collectedOfKept = 16
/** How long a reader waits for what is on its way; the first one starts a thread. */
const readerWaitsMs = 10_000
/** Entries that are open in memory at the same time. */
const listedAtOnce = 8
/** How long a node that stops waits for what is to be sealed. */
const closingMs = 2_000

export interface PromptLogSettings {
  /** 32 bytes each; the first seals, all open. */
  encryptionKeys: readonly Buffer[]
  /** For how long an entry is kept. */
  days: LogDays
  /** Of a request, and of its answer, as JSON. */
  maxBytes: number
  /** Of all entries of an account, sealed. */
  maxAccountBytes: number
  /** The operator's, beside those that there are. */
  patterns: readonly OwnPattern[]
}

/** What became of requests that were to be logged. */
export interface PromptLogTally {
  written: number
  /** Their account or key does not want it any more, or has deleted it meanwhile. */
  unwanted: number
  /** Too much was waiting. */
  noRoom: number
  /** They could not be sealed, or the database refused them, or the process ended before. */
  failed: number
  /** Older ones that went for new ones of their account. */
  evicted: number
}

/** A request whose log is asked for. */
export interface LoggedRequest {
  requestId: string
  accountId: string
  keyId: string
  createdAtMs: number
}

/** What was found of a request. */
export interface FoundLog {
  createdAtMs: number
  /** Why there is no entry: no key of the operator's opens it, or it was damaged. */
  entry: LogEntry | 'key_missing' | 'damaged'
}

/** One of a list, with the request that it is of. */
export interface ListedLog extends FoundLog {
  requestId: string
}

interface Waiting {
  log: SealedLog
  bytes: number
}

/**
 * Prompts and answers of those who want them kept: collected as they go by, redacted and sealed in another
 * thread, and written behind the request (docs/security.md tells how they are kept).
 */
export class PromptLog {
  readonly settings: PromptLogSettings
  readonly #store: PromptLogStore
  readonly #keys: KeyRing
  readonly #sealer: Sealer
  readonly #log: GatewayLog
  readonly #batches: BatchWriter<Waiting>
  readonly #budget = new Budget(mostCollectedBytes)
  /** By request: what is not in the hands of `#batches` yet. */
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

  /** Of what is collected, and of what waits for the database. */
  get waitingBytes(): number {
    return this.#budget.taken + this.#batches.bytes
  }

  /** For what is seen of one request: it ends with `add`. */
  begin(): Capture {
    return new Capture(this.#budget, collectedOfKept * this.settings.maxBytes)
  }

  /** Keeps what was seen of a request that has ended. Never throws, and takes no time. */
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
   * The log of a request of that account; undefined where there is none, or it is another one's.
   * @throws {GatewayError} 503 where the store is out of reach
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
   * A few of an account's that may be read, in the order of their requests, behind the given one; what is on
   * its way to the store may be missing.
   * @throws {GatewayError} 503 where the store is out of reach
   */
  async page(accountId: string, after: ListedLog | undefined): Promise<ListedLog[]> {
    const page = { limit: listedAtOnce, after }
    const found = await this.#store.page(accountId, this.settings.days, Date.now(), page)
    const opened: ListedLog[] = []
    // One after the other: each may be megabytes once it is open.
    for (const one of found)
      opened.push({
        requestId: one.requestId,
        createdAtMs: one.createdAtMs,
        entry: await this.#open(one),
      })
    return opened
  }

  /** Deletes the log of a request; none is written of it later, by no node. */
  drop(request: LoggedRequest): Promise<void> {
    return this.#store.drop(request)
  }

  /**
   * Deletes all of an account, or of one of its keys; none is written later of a request that came before.
   * @returns how many there were
   */
  async dropAll(accountId: string, keyId?: string): Promise<number> {
    return this.#store.dropAll(accountId, keyId, Date.now())
  }

  figures(accountId: string): Promise<LogFigures> {
    return this.#store.figures(accountId)
  }

  /** Writes what waits. */
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

  /** It is in the database, if that takes it in time. */
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
