import { patchUsage } from '../../answers/patch-usage.ts'
import type { BridgeHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import { formatUsage } from '../caller/usage.ts'

/** The vendor's whole answer as its caller gets it: with our model and the cost. */
export function patchAnswer(body: Record<string, unknown>, { model }: BridgeHead): FormattedAnswer {
  return (usage, cost) => {
    if (usage === undefined) return { ...body, model }
    return { ...body, model, usage: patchUsage(body['usage'], usage, cost, formatUsage) }
  }
}
