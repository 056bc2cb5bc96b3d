import type { LedgerDifference, LedgerVerification } from './ledger-store.ts'

/** How a verification is: `stopped` ran out of its time, or its node ended; `failed` could not read on. */
export const verificationStates = ['running', 'finished', 'stopped', 'failed'] as const
export type VerificationState = (typeof verificationStates)[number]

/** One verification of the ledger that was asked for and is looked at later. */
export interface VerificationRun {
  /** `ver_…`, in the order of time. */
  id: string
  nodeId: string
  state: VerificationState
  startedAtMs: number
  finishedAtMs: number | null
  /** How many figures were compared so far. */
  checked: number
  differences: LedgerDifference[]
}

/** Verifications, of which one runs at a time whatever the number of nodes. */
export interface VerificationStore {
  /**
   * Notes that this node begins one; where one runs, that one is answered. One that was not heard of for a
   * minute does not run any more.
   * @param behind the newest one that is known to who asks, null: none; where there is a newer one by now,
   *   that one is answered, running or not. Absent: whichever is the newest.
   */
  begin(
    nodeId: string,
    nowMs: number,
    behind?: string | null,
  ): Promise<{ run: VerificationRun; begun: boolean }>
  /** Notes as stopped what was not heard of for a minute: its node was killed when it had worked so long. */
  endSilent(nowMs: number): Promise<void>
  /** Tells that it goes on. */
  advance(id: string, checked: number, nowMs: number): Promise<void>
  /** Operators are told of differences that were not found before (`newDifferences`). */
  end(
    id: string,
    result: Pick<VerificationRun, 'checked' | 'differences'> & {
      state: Exclude<VerificationState, 'running'>
    },
    nowMs: number,
  ): Promise<void>
  /**
   * Notes what a verification found that was not begun as one of these, where that is not known, and tells
   * operators of it as `end` does.
   */
  note(
    nodeId: string,
    found: Pick<LedgerVerification, 'checked' | 'differences'>,
    startedAtMs: number,
    nowMs: number,
  ): Promise<void>
  find(id: string): Promise<VerificationRun | undefined>
  newest(state?: VerificationState): Promise<VerificationRun | undefined>
  /** Newest first; the newest hundred are kept. */
  list(
    filter: { fromMs?: number; toMs?: number },
    page: { limit: number; cursor?: string },
  ): Promise<{ rows: VerificationRun[]; nextCursor: string | null }>
}
