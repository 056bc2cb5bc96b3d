import { invalidRequest, type UnsupportedFieldsRule } from '@turnpike/protocol'
import type { Parsed } from '../context/stages.ts'

const header = 'x-turnpike-unsupported'

/**
 * Decides what happens to fields that a vendor does not support. The request's header decides, then its body
 * (for callers who can set no header), then the key's setting.
 * @throws {GatewayError} 400 for an unknown value
 */
export function readLeniency(request: Parsed): Parsed {
  const value = request.exchange.header(header)
  request.unsupportedFields =
    value === undefined ? (request.call.unsupportedFields ?? request.key.unsupportedFields) : ruleOf(value)
  return request
}

function ruleOf(value: string): UnsupportedFieldsRule {
  const word = value.trim().toLowerCase()
  if (word === 'drop' || word === 'refuse') return word
  throw invalidRequest(header, `${header}: expected drop or refuse.`)
}
