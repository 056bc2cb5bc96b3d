import { describeUnreadable, vendorFormats } from '@turnpike/dialects'
import { GatewayError } from '@turnpike/protocol'
import type { Attempt } from '../../context/stages.ts'
import type { FailureHead } from '../answer.ts'
import { refusalOf } from '../redact-error.ts'

/** An error page is read up to here. */
const maxBytes = 64 * 1024

/** What came where a stream was asked for, and is none: mostly an error. */
export class ErrorPage {
  readonly #head: FailureHead
  readonly #chunks: Buffer[] = []
  #bytes = 0

  constructor(head: FailureHead) {
    this.#head = head
  }

  /** False where it is longer than any is read. */
  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length
    if (this.#bytes > maxBytes) return false
    this.#chunks.push(chunk)
    return true
  }

  /** What it says, as far as it was read. */
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

/** What begins as JSON is no stream of events, whatever its head says: some vendors answer errors so. */
export function beginsAsJson(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[')
}
