/** The prompt and answer of a request as the database keeps them: nobody reads them there. */
export interface SealedLog {
  requestId: string
  accountId: string
  /** The key that asked. */
  keyId: string
  /** When the request came, Unix epoch milliseconds. */
  createdAtMs: number
  /** Which of the keys it is sealed with. */
  keyName: string
  /** How long it is once it is open. */
  plainBytes: number
  sealed: Uint8Array
}

/** What became of logs that were to be written. */
export interface WrittenLogs {
  written: number
  /** Older ones that went for them. */
  evicted: number
}

/** For how long logs are kept: as an account says, and no longer than the operator has it. */
export interface LogDays {
  /** Where an account says nothing. */
  usual: number
  most: number
}

/** Of one account. */
export interface LogFigures {
  entries: number
  /** Sealed. */
  bytes: number
  /** When the oldest one's request came; null: there is none. */
  oldestAtMs: number | null
}

/** Where prompts and answers are kept; implemented by `packages/storage` on both engines. */
export interface PromptLogStore {
  /**
   * All of them in one transaction. Left out are those whose account or key does not want it any more, was
   * closed, or has deleted what came until then. Then the oldest go of each account that has more than
   * `mostBytes` sealed.
   * @throws where the store is out of reach; then nothing was written, or all of it
   */
  write(logs: readonly SealedLog[], mostBytes: number): Promise<WrittenLogs>
  /** Undefined also where it is another account's, was deleted, or is older than it may be. */
  find(accountId: string, requestId: string, days: LogDays, nowMs: number): Promise<SealedLog | undefined>
  /** Whether `find` would find one. */
  has(accountId: string, requestId: string, days: LogDays, nowMs: number): Promise<boolean>
  /** So many of an account's that may be read, in the order of their requests, behind the given one. */
  page(
    accountId: string,
    days: LogDays,
    nowMs: number,
    page: { limit: number; after: Pick<SealedLog, 'createdAtMs' | 'requestId'> | undefined },
  ): Promise<SealedLog[]>
  /** Deletes that of a request of the account, and sees to it that none is written later. */
  drop(of: Pick<SealedLog, 'accountId' | 'requestId' | 'keyId' | 'createdAtMs'>): Promise<void>
  /**
   * Deletes all of an account, or of one of its keys, and sees to it that none of what came until now is
   * written later.
   * @returns how many there were
   */
  dropAll(accountId: string, keyId: string | undefined, nowMs: number): Promise<number>
  figures(accountId: string): Promise<LogFigures>
  /**
   * Drops what is older than it may be, and what is left of closed accounts, a few at a time.
   * @param days undefined: nothing is kept any more
   * @param signal ends it between two steps
   */
  dropExpired(days: LogDays | undefined, nowMs: number, signal?: AbortSignal): Promise<void>
}
