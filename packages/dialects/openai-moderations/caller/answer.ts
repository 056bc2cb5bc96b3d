import type { BridgeHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import type { Moderation } from '../../moderations/answer.ts'
import { formatPricedUsage } from './usage.ts'

/** `{"id", "model", "results": [{"flagged", "categories", "category_scores"}], "usage"}` */
export function formatModeration(
  { results }: Pick<Moderation, 'results'>,
  { id, model }: BridgeHead,
): FormattedAnswer {
  return (usage, cost) => ({
    id,
    model,
    results,
    ...(usage !== undefined && { usage: formatPricedUsage(usage, cost) }),
  })
}
