import type { Counter } from './account-counts.ts'

/** What all nodes count together said of a request. */
export interface SharedReply {
  /** Which counter has too little; -1: none, and all were taken from. */
  short: number
  /** For how long that one, or another one, is to be waited for. */
  waitMs: number
  /** What is owed to each counter's bucket now, in its units. */
  owedUnits: readonly number[]
}

/** Counters that all nodes share. */
export interface SharedCounts {
  /** False: do not ask, it would only take time. */
  readonly isUp: boolean
  /** Takes from all counters or from none; undefined where nobody answered in time. Never rejects. */
  take(counters: readonly Counter[], tokens: readonly number[]): Promise<SharedReply | undefined>
  /** Takes, or gives back what is below 0, without an answer. */
  add(counters: readonly Counter[], tokens: readonly number[]): void
}
