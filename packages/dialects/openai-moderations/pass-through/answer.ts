import { withoutWithheld } from '../../answers/withheld-members.ts'
import type { BridgeHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import type { Moderation } from '../../moderations/answer.ts'
import { formatPricedUsage } from '../caller/usage.ts'

/** A whole answer with our model and usage, and with the vendor's further members for callers. */
export function patchAnswer({ raw: whole, results }: Moderation, { id, model }: BridgeHead): FormattedAnswer {
  const raw = withoutWithheld(whole)
  return (usage, cost) => ({
    ...raw,
    id: typeof raw['id'] === 'string' ? raw['id'] : id,
    model,
    results,
    ...(usage !== undefined && { usage: formatPricedUsage(usage, cost) }),
  })
}
