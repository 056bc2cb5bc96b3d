import type { FailedAnswer } from '@turnpike/dialects'
import { headerText, type UpstreamHeaders } from '../upstream/client.ts'

/** What the head of an answer that is no success says beside its status. */
export type FailedHead = Pick<FailedAnswer, 'retryAfter' | 'errorType' | 'date'>

export function failedHead(headers: UpstreamHeaders): FailedHead {
  return {
    retryAfter: headerText(headers['retry-after']),
    errorType: headerText(headers['x-amzn-errortype']),
    date: headerText(headers['date']),
  }
}
