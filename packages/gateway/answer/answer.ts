import type { FailedAnswer } from '@turnpike/dialects'
import type { Ending } from '../context/ending.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt } from '../context/stages.ts'
import { mayBillUnseen } from '../metering/unseen-reasoning.ts'
import type { BackgroundRead } from '../services/background-reads.ts'
import { headerText, type UpstreamHeaders } from '../upstream/client.ts'

/** An upstream's answer that has begun to come: its first token is here, or the whole of it. */
export interface Answer {
  /** Whose answer it is. */
  readonly attempt: Attempt
  /** Passes on what comes, and resolves when nothing but the last bytes is left to send. Never rejects. */
  relay(): Ending | Promise<Ending>
}

/** What the head of an answer that is no success says beside its status. */
export type FailureHead = Pick<FailedAnswer, 'retryAfter' | 'errorType' | 'date'>

export function parseFailureHead(headers: UpstreamHeaders): FailureHead {
  return {
    retryAfter: headerText(headers['retry-after']),
    errorType: headerText(headers['x-amzn-errortype']),
    date: headerText(headers['date']),
  }
}

/**
 * The client has left, and the vendor goes on and bills what it thought: it is read until it says how much
 * that was. Undefined where it bills nothing unseen, or no further answer may be read.
 * @param end called where its time is over
 */
export function startBackgroundRead(
  attempt: Attempt,
  reasoningSeen: boolean,
  gateway: Gateway,
  end: () => void,
): BackgroundRead | undefined {
  return mayBillUnseen(attempt, reasoningSeen) ? gateway.backgroundReads.startRead(end) : undefined
}
