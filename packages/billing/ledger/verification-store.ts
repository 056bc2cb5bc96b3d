import type { LedgerDifference, LedgerVerification } from './ledger-store.ts'

/** `stopped`: its time ran out, or its node ended. `failed`: it could not read further. */
export const verificationStates = ['running', 'finished', 'stopped', 'failed'] as const
export type VerificationState = (typeof verificationStates)[number]

/** One verification of the ledger. It runs in the background, and its result is stored. */
export interface VerificationRun {
  /** `ver_…`, in the order of time. */
  id: string
  nodeId: string
  state: VerificationState
  startedAtMs: number
  finishedAtMs: number | null
  /** The number of comparisons so far. */
  checked: number
  differences: LedgerDifference[]
}

/** Stored verifications, of which only one runs at a time, on whatever node. */
export interface VerificationStore {
  /**
   * Starts a verification on this node. If one is running, it is returned instead; one without a report for a
   * minute no longer counts as running.
   * @param behind the newest verification known to the caller, null: none. If there is a newer one by now,
   * that one is returned, running or not. Absent: no such check.
   */
  begin(
    nodeId: string,
    nowMs: number,
    behind?: string | null,
  ): Promise<{ run: VerificationRun; begun: boolean }>
  /** Marks verifications without a report for a minute as stopped: their nodes were killed. */
  endSilent(nowMs: number): Promise<void>
  /** Reports that it is still running. */
  advance(id: string, checked: number, nowMs: number): Promise<void>
  /** Notifies operators of differences that were not found before (`newDifferences`). */
  end(
    id: string,
    result: Pick<VerificationRun, 'checked' | 'differences'> & {
      state: Exclude<VerificationState, 'running'>
    },
    nowMs: number,
  ): Promise<void>
  /** Stores findings of a run that was not begun here, if they are new, and notifies like `end`. */
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
