import type { ModerateRequest } from '@turnpike/protocol'
import { textlessAnswer } from '../answers/textless-answer.ts'
import type { BridgeHead, WholeAnswer } from '../bridge.ts'
import { passThroughOf, type ModerateCaller } from '../caller.ts'
import type { ModerateFormat } from '../vendor.ts'

/**
 * A vendor's moderation, to be said in the caller's format; where it is in that format already, with all that
 * the vendor says besides.
 * @throws {GatewayError} 502 where it is none, or the error that the answer holds
 */
export function readModeration(
  { format, vendorFormat }: { format: ModerateCaller; vendorFormat: ModerateFormat },
  body: Buffer,
  head: BridgeHead,
  request: ModerateRequest,
): WholeAnswer {
  const moderation = vendorFormat.operations.moderate.decode(body, request)
  const passing = passThroughOf(format, vendorFormat)
  const said = passing?.patchAnswer(moderation, head) ?? format.formatModeration(moderation, head)
  return textlessAnswer(moderation.usage, (usage, cost) => JSON.stringify(said(usage, cost)))
}
