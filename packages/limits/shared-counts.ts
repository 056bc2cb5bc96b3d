import type { Counter } from './account-counts.ts'

/** The shared counters' reply to a request. */
export interface SharedReply {
  /** The index of the counter that has too little; -1 if all had enough and were taken from. */
  short: number
  /** How long to wait for that counter, or for another one. */
  waitMs: number
  /** The debt of each counter's bucket, in its units. */
  owedUnits: readonly number[]
}

/** Counters that all nodes share. */
export interface SharedCounts {
  /** False while the server is unavailable: a call would only take time. */
  readonly isUp: boolean
  /** Takes from all counters or from none; undefined if there was no reply in time. Never rejects. */
  take(counters: readonly Counter[], tokens: readonly number[]): Promise<SharedReply | undefined>
  /** Takes the tokens, or gives back negative numbers, without waiting for a reply. */
  add(counters: readonly Counter[], tokens: readonly number[]): void
}
