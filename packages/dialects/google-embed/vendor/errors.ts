import type { GatewayError } from '@turnpike/protocol'
import { decodeVendorError, type FailedAnswer } from '../../vendor-errors/decode-error.ts'

/** The text's own place in Google's words, and in ours. */
const place = /requests\[(\d+)\]/

/** Its errors name a text by the request that it is in. */
export function decodeError(answer: FailedAnswer): GatewayError {
  const error = decodeVendorError(answer)
  const found = place.exec(error.message)
  return found === null || error.param !== null ? error : error.with({ param: `input[${found[1]}]` })
}
