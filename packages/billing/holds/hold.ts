import type { HoldRefusal } from './hold-refusal.ts'

/** Credit set aside for one request; it ends by `settle`, whatever becomes of the request. */
export interface Hold {
  readonly keyId: string
  /** When its request began: a spend limit counts it to the period in which that lies. */
  readonly startedAtMs: number
  amountPico: bigint
  /** Its request has ended. */
  settled: boolean
}

export type HoldResult = { hold: Hold } | { refused: HoldRefusal }
