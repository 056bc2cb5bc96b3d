/** The prompt and answer of a request as the database stores them, encrypted. */
export interface SealedLog {
  requestId: string
  accountId: string
  /** The key of the request. */
  keyId: string
  /** When the request arrived, Unix epoch milliseconds. */
  createdAtMs: number
  /** The name of the key that sealed it. */
  keyName: string
  /** Its size once opened. */
  plainBytes: number
  sealed: Uint8Array
}

/** Counts of written and skipped logs. */
export interface WrittenLogs {
  written: number
  /** Older logs that made room for them. */
  evicted: number
}

/** How long logs are kept: the account's choice, up to the operator's limit. */
export interface LogDays {
  /** If the account has not chosen. */
  usual: number
  most: number
}

/** The figures of one account. */
export interface LogFigures {
  entries: number
  /** Sealed. */
  bytes: number
  /** When the oldest log's request arrived; null if there is none. */
  oldestAtMs: number | null
}

/** Stores prompts and answers; implemented by `packages/storage` on both engines. */
export interface PromptLogStore {
  /**
   * Writes all logs in one transaction. Skips those whose account or key no longer wants them, was closed, or
   * has deleted everything up to then. Then deletes the oldest logs of each account that has more than
   * `mostBytes` sealed.
   * @throws if the store is unavailable; then nothing was written, or everything
   */
  write(logs: readonly SealedLog[], mostBytes: number): Promise<WrittenLogs>
  /** Undefined also if it belongs to another account, was deleted, or is too old. */
  find(accountId: string, requestId: string, days: LogDays, nowMs: number): Promise<SealedLog | undefined>
  /** Whether `find` would find one. */
  has(accountId: string, requestId: string, days: LogDays, nowMs: number): Promise<boolean>
  /** The next readable logs of an account after the given one, in the order of their requests. */
  page(
    accountId: string,
    days: LogDays,
    nowMs: number,
    page: { limit: number; after: Pick<SealedLog, 'createdAtMs' | 'requestId'> | undefined },
  ): Promise<SealedLog[]>
  /** Deletes the log of the account's request, and prevents any later write of it. */
  drop(of: Pick<SealedLog, 'accountId' | 'requestId' | 'keyId' | 'createdAtMs'>): Promise<void>
  /**
   * Deletes all logs of an account, or of one of its keys, and prevents later writes of requests before now.
   * @returns how many there were
   */
  dropAll(accountId: string, keyId: string | undefined, nowMs: number): Promise<number>
  figures(accountId: string): Promise<LogFigures>
  /**
   * Deletes logs that are too old, and those left of closed accounts, a few at a time.
   * @param days undefined if nothing is kept any more
   * @param signal stops it between two steps
   */
  dropExpired(days: LogDays | undefined, nowMs: number, signal?: AbortSignal): Promise<void>
}
