import type { ModerateRequest } from '@turnpike/protocol'
import { textlessAnswer } from '../answers/textless-answer.ts'
import type { BridgeHead, WholeAnswer } from '../bridge.ts'
import { passThroughOf, type ModerateCaller } from '../caller.ts'
import type { ModerateFormat } from '../vendor.ts'

/**
 * Reads a vendor's moderation for the caller's format. If it already has that format, the vendor's further
 * members are kept.
 * @throws {GatewayError} 502 if it is not a moderation, or the error that the answer holds
 */
export function readModeration(
  { format, vendorFormat }: { format: ModerateCaller; vendorFormat: ModerateFormat },
  body: Buffer,
  head: BridgeHead,
  request: ModerateRequest,
): WholeAnswer {
  const moderation = vendorFormat.operations.moderate.decode(body, request)
  const passing = passThroughOf(format, vendorFormat)
  const formatted = passing?.patchAnswer(moderation, head) ?? format.formatModeration(moderation, head)
  return textlessAnswer(moderation.usage, (usage, cost) => JSON.stringify(formatted(usage, cost)))
}
