import type { FailedAnswer } from '@turnpike/dialects'
import type { Ending } from '../context/ending.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt } from '../context/stages.ts'
import { mayBillUnseen } from '../metering/unseen-reasoning.ts'
import type { BackgroundRead } from '../services/background-reads.ts'
import { headerText, type UpstreamHeaders } from '../upstream/client.ts'

/** An upstream's answer that has begun: its first token has arrived, or the whole of it. */
export interface Answer {
  /** The attempt that it answers. */
  readonly attempt: Attempt
  /** Passes on what arrives, and resolves once only the last bytes are left to send. Never rejects. */
  relay(): Ending | Promise<Ending>
}

/** The headers of an error response that matter besides its status. */
export type FailureHead = Pick<FailedAnswer, 'retryAfter' | 'errorType' | 'date'>

export function parseFailureHead(headers: UpstreamHeaders): FailureHead {
  return {
    retryAfter: headerText(headers['retry-after']),
    errorType: headerText(headers['x-amzn-errortype']),
    date: headerText(headers['date']),
  }
}

/**
 * Keeps reading an answer after its client has left, until the vendor reports its usage: the vendor goes on
 * and bills the reasoning. Undefined if the vendor bills nothing unseen, or too many answers are being read.
 * @param end called when the time for reading is over
 */
export function startBackgroundRead(
  attempt: Attempt,
  reasoningSeen: boolean,
  gateway: Gateway,
  end: () => void,
): BackgroundRead | undefined {
  return mayBillUnseen(attempt, reasoningSeen) ? gateway.backgroundReads.startRead(end) : undefined
}
