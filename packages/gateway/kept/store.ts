/**
 * Whose an answer is: its key's account, member and project, as they never change for a key. Another member's
 * or project's answers are to a key as if they were not there, as another account's are.
 */
export interface AnswerOwner {
  accountId: string
  /** Null: the key is the account's own. */
  memberId: string | null
  projectId: string | null
}

/** An answer as the database keeps it: nobody reads it there. */
export interface SealedAnswer extends AnswerOwner {
  /** As its caller knows it: `resp_req_…`. */
  id: string
  /** When it was complete, Unix epoch milliseconds. */
  createdAtMs: number
  expiresAtMs: number
  /** Which of the keys it is sealed with. */
  keyName: string
  /** How long both are once they are open. */
  plainBytes: number
  /** Ids of its items that do not tell of which answer they are. */
  itemIds: readonly string[]
  /** The answer as its caller got it. */
  answer: Uint8Array
  /** What it answers: the whole conversation before it. */
  input: Uint8Array
}

/** The same as it is found again. */
export type FoundAnswer = Omit<SealedAnswer, 'itemIds' | 'memberId' | 'projectId'>

/** Items to be found. */
export interface WantedItems {
  itemIds: readonly string[]
  /** Answers that they may be of. */
  answerIds: readonly string[]
  /** Of all answers together, sealed. */
  mostBytes: number
}

/** Where answers are kept; implemented by `packages/storage` on both engines. */
export interface KeptAnswerStore {
  /**
   * All of them in one transaction. One that is there already stays as it is, and those of a closed account
   * are left out. Then the oldest go of each account that has more than `mostBytes` sealed.
   * @returns how many went
   * @throws where the store is out of reach; then nothing was written, or all of it
   */
  write(answers: readonly SealedAnswer[], mostBytes: number): Promise<number>
  /** Undefined also where it is another owner's, or has expired. */
  find(owner: AnswerOwner, id: string, nowMs: number): Promise<FoundAnswer | undefined>
  /**
   * The answers that hold these items, without what they answer, in one query. Of more than `mostBytes` the
   * first ones, up to the one that goes beyond.
   */
  findItems(owner: AnswerOwner, wanted: WantedItems, nowMs: number): Promise<Omit<FoundAnswer, 'input'>[]>
  /** @returns whether there was one */
  drop(owner: AnswerOwner, id: string, nowMs: number): Promise<boolean>
  /**
   * Drops what has expired, and what is left of closed accounts, a few at a time.
   * @param signal ends it between two steps
   */
  dropExpired(nowMs: number, signal?: AbortSignal): Promise<void>
}
