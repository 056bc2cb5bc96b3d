import type { GatewayError } from '@turnpike/protocol'
import { decodeVendorError, type FailedAnswer } from '../../vendor-errors/decode-error.ts'

/** The path of a text in Google's errors. */
const place = /requests\[(\d+)\]/

/** Google's errors name a text by the request that contains it. */
export function decodeError(answer: FailedAnswer): GatewayError {
  const error = decodeVendorError(answer)
  const found = place.exec(error.message)
  return found === null || error.param !== null ? error : error.with({ param: `input[${found[1]}]` })
}
