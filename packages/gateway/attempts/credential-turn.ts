import type { Candidate } from '../candidates/candidate.ts'
import type { Attempt } from '../context/stages.ts'
import type { CredentialRefusal } from '../upstream/credentials/credential.ts'
import type { ReadyCall } from './call.ts'

/** A candidate that could not be asked for want of a credential, or whose upstream refused the one it has. */
export interface AwaitingCredential {
  candidate: Candidate
  /** Absent: it had none. */
  refusal?: CredentialRefusal
}

/** A request waits no longer for a credential, where nobody else answers it. */
const longestWaitMs = 2_000

/** Whether another credential may take the place of the one that is there. */
export function isRenewed({ credential }: Candidate): boolean {
  return credential.onRenewed !== undefined
}

/** What the upstream said to the credential of a call that it refused. */
export function refusalBy({ failedHead }: Attempt, { outbound }: ReadyCall): CredentialRefusal {
  const { errorType, date: dateHeader } = failedHead ?? {}
  return { usedHeaders: outbound.headers, errorType, dateHeader }
}

/** How long a request may wait for all that it lacks, until its deadline at most. */
export function waitForCredentialsMs(unproven: readonly AwaitingCredential[], leftMs: number): number {
  const connectMs = Math.max(...unproven.map(({ candidate }) => candidate.timeouts.connectMs))
  return Math.min(connectMs, longestWaitMs, leftMs)
}

/** Waits until there is a credential that its upstream has not refused; false where there is none in time. */
export async function isCredentialReady(
  { candidate, refusal }: AwaitingCredential,
  waitMs: number,
): Promise<boolean> {
  const { credential } = candidate
  try {
    await credential.ready(Math.max(1, waitMs))
  } catch {
    // Why there is none is its state, which is told below and has been logged where it was minted.
    return false
  }
  return refusal === undefined || credential.handleRefusal(refusal) === 'again'
}
