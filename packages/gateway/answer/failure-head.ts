import type { FailedAnswer } from '@turnpike/dialects'
import { headerText, type UpstreamHeaders } from '../upstream/client.ts'

/** What the head of an answer that is no success says beside its status. */
export type FailureHead = Pick<FailedAnswer, 'retryAfter' | 'errorType' | 'date'>

export function parseFailureHead(headers: UpstreamHeaders): FailureHead {
  return {
    retryAfter: headerText(headers['retry-after']),
    errorType: headerText(headers['x-amzn-errortype']),
    date: headerText(headers['date']),
  }
}
