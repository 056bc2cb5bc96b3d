import { plainQuirks } from '../../testing/plain-quirks.ts'
import type { SentRequest } from '../../caller.ts'
import { scanObject } from '../../json/scan.ts'
import { parseRequest } from '../caller/request.ts'

/** A caller's body on its way to a vendor of the same format. */
export function sentRequest(text: string, changes: Partial<SentRequest> = {}): SentRequest {
  const body = Buffer.from(text)
  const call = parseRequest(JSON.parse(text) as object)
  return {
    body,
    members: scanObject(body).members,
    call,
    model: 'claude-at-vendor',
    reasons: true,
    maxOutputTokens: call.request.maxOutputTokens,
    asUnderstood: [],
    quirks: plainQuirks,
    ...changes,
  }
}
