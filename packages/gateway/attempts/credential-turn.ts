import type { Candidate } from '../candidates/candidate.ts'
import type { Attempt } from '../context/stages.ts'
import type { CredentialRefusal } from '../upstream/credentials/credential.ts'
import type { ReadyCall } from './call.ts'

/** A candidate that was not called because it had no credential, or whose credential was rejected. */
export interface AwaitingCredential {
  candidate: Candidate
  /** Absent if it had no credential. */
  refusal?: CredentialRefusal
}

/** The longest that a request waits for a credential, which it does only if no other candidate answers. */
const longestWaitMs = 2_000

/** Whether the candidate's credential can be replaced by a newer one. */
export function isRenewed({ credential }: Candidate): boolean {
  return credential.onRenewed !== undefined
}

/** How the upstream rejected the credential of this call. */
export function refusalBy({ failedHead }: Attempt, { outbound }: ReadyCall): CredentialRefusal {
  const { errorType, date: dateHeader } = failedHead ?? {}
  return { usedHeaders: outbound.headers, errorType, dateHeader }
}

/** How long a request may wait for its missing credentials: never beyond its deadline. */
export function waitForCredentialsMs(unproven: readonly AwaitingCredential[], leftMs: number): number {
  const connectMs = Math.max(...unproven.map(({ candidate }) => candidate.timeouts.connectMs))
  return Math.min(connectMs, longestWaitMs, leftMs)
}

/** Waits for a credential that the upstream has not rejected. Resolves with false if none arrives in time. */
export async function isCredentialReady(
  { candidate, refusal }: AwaitingCredential,
  waitMs: number,
): Promise<boolean> {
  const { credential } = candidate
  try {
    await credential.ready(Math.max(1, waitMs))
  } catch {
    // The credential's state says why; it is reported later, and was logged where the token was minted.
    return false
  }
  return refusal === undefined || credential.handleRefusal(refusal) === 'again'
}
