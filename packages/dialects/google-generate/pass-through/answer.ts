import { patchUsage } from '../../answers/patch-usage.ts'
import { withoutMoney } from '../../answers/withheld-members.ts'
import type { BridgeHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import { formatUsage } from '../caller/usage.ts'

type Json = Record<string, unknown>

/** The vendor's whole answer as its caller gets it: with our model and the cost. */
export function patchAnswer(body: Json, { model, id }: BridgeHead): FormattedAnswer {
  const { usageMetadata, ...rest } = body
  const answer = {
    ...(withoutMoney(rest) as Json),
    modelVersion: model,
    responseId: rest['responseId'] ?? id,
  }
  return (usage, cost) =>
    usage === undefined
      ? answer
      : { ...answer, usageMetadata: patchUsage(usageMetadata, usage, cost, formatUsage) }
}
