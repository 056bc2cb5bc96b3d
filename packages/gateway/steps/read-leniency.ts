import { invalidRequest, type UnsupportedFieldsRule } from '@turnpike/protocol'
import type { Parsed } from '../context/stages.ts'

const header = 'x-turnpike-unsupported'

/**
 * What is to become of fields that a vendor cannot honour, where the request says: by its header or, for
 * callers who set none, by its body; else where its key does.
 * @throws {GatewayError} 400 for another word
 */
export function readLeniency(request: Parsed): Parsed {
  const said = request.exchange.header(header)
  request.unsupportedFields =
    said === undefined ? (request.call.unsupportedFields ?? request.key.unsupportedFields) : ruleOf(said)
  return request
}

function ruleOf(said: string): UnsupportedFieldsRule {
  const word = said.trim().toLowerCase()
  if (word === 'drop' || word === 'refuse') return word
  throw invalidRequest(header, `${header}: expected drop or refuse.`)
}
