import { describeUnreadable, vendorFormats } from '@turnpike/dialects'
import { GatewayError } from '@turnpike/protocol'
import type { Attempt } from '../../context/stages.ts'
import type { FailureHead } from '../answer.ts'
import { refusalOf } from '../redact-error.ts'

/** How much of an error page is read. */
const maxBytes = 64 * 1024

/** A response that is not a stream although one was requested: usually an error. */
export class ErrorPage {
  readonly #head: FailureHead
  readonly #chunks: Buffer[] = []
  #bytes = 0

  constructor(head: FailureHead) {
    this.#head = head
  }

  /** Returns false if the page is longer than the limit. */
  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length
    if (this.#bytes > maxBytes) return false
    this.#chunks.push(chunk)
    return true
  }

  /** The error that the page reports, as far as it was read. */
  error(attempt: Attempt, status: number): GatewayError {
    const vendorFormat = vendorFormats[attempt.candidate.provider.format]
    const body = Buffer.concat(this.#chunks).toString('utf8')
    if (status < 200 || status > 299) return refusalOf(attempt, vendorFormat, { ...this.#head, status, body })
    const error = attempt.request.operation.streams?.errorOfBody(vendorFormat, body)
    if (error !== undefined) return error
    const detail = `expected a stream, got: ${describeUnreadable(body)}`
    return new GatewayError('upstream_error', 'The upstream did not return a stream.', { detail })
  }
}

/** JSON is not a stream of events, whatever its content type says: some vendors send errors like that. */
export function beginsAsJson(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[')
}
