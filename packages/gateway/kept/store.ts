/**
 * An answer's owner: its key's account, member and project, none of which ever change for a key. For a key,
 * answers of other members and projects do not exist, like those of other accounts.
 */
export interface AnswerOwner {
  accountId: string
  /** Null if the key belongs to the account itself. */
  memberId: string | null
  projectId: string | null
}

/** An answer as the database stores it, encrypted. */
export interface SealedAnswer extends AnswerOwner {
  /** The caller's identifier: `resp_req_…`. */
  id: string
  /** When it was complete, Unix epoch milliseconds. */
  createdAtMs: number
  expiresAtMs: number
  /** The name of the key that sealed it. */
  keyName: string
  /** The size of answer and input once opened. */
  plainBytes: number
  /** Ids of its items that do not contain the answer's id. */
  itemIds: readonly string[]
  /** The answer as its caller got it. */
  answer: Uint8Array
  /** Its input: the whole conversation before it. */
  input: Uint8Array
}

/** The same as read from the store. */
export type FoundAnswer = Omit<SealedAnswer, 'itemIds' | 'memberId' | 'projectId'>

/** Items to find. */
export interface WantedItems {
  itemIds: readonly string[]
  /** Answers that may contain them. */
  answerIds: readonly string[]
  /** All answers together, sealed. */
  mostBytes: number
}

/** Stores kept answers; implemented by `packages/storage` on both engines. */
export interface KeptAnswerStore {
  /**
   * Writes all answers in one transaction. Leaves existing answers unchanged, and skips those of closed
   * accounts. Then deletes the oldest answers of each account that has more than `mostBytes` sealed.
   * @returns how many were deleted
   * @throws if the store is unavailable; then nothing was written, or everything
   */
  write(answers: readonly SealedAnswer[], mostBytes: number): Promise<number>
  /** Undefined also if it belongs to another owner, or has expired. */
  find(owner: AnswerOwner, id: string, nowMs: number): Promise<FoundAnswer | undefined>
  /**
   * Finds the answers that contain these items, without their input, in one query. If they exceed
   * `mostBytes`, returns the first ones, up to the one that goes over.
   */
  findItems(owner: AnswerOwner, wanted: WantedItems, nowMs: number): Promise<Omit<FoundAnswer, 'input'>[]>
  /** @returns whether there was one */
  drop(owner: AnswerOwner, id: string, nowMs: number): Promise<boolean>
  /**
   * Deletes expired answers, and those left of closed accounts, a few at a time.
   * @param signal stops it between two steps
   */
  dropExpired(nowMs: number, signal?: AbortSignal): Promise<void>
}
