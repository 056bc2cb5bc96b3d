import type { BridgeHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import type { Moderation } from '../../moderations/answer.ts'
import { pricedUsage } from '../caller/usage.ts'

/** A whole answer with our model and usage, and with all that the vendor says besides. */
export function patchAnswer({ raw, results }: Moderation, { id, model }: BridgeHead): FormattedAnswer {
  return (usage, cost) => ({
    ...raw,
    id: typeof raw['id'] === 'string' ? raw['id'] : id,
    model,
    results,
    ...(usage !== undefined && { usage: pricedUsage(usage, cost) }),
  })
}
