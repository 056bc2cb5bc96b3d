import type { Ending } from '../context/ending.ts'
import type { Attempt } from '../context/stages.ts'
import { failureOf } from '../upstream/failure.ts'

/** Records for the upstream's health how an answer ended: an answer that breaks off is a failure. */
export function recordHealth({ request, candidate, row }: Attempt, ending: Ending): void {
  const { health } = candidate
  const { accountId } = request.key
  if (ending.outcome === 'completed') health.recordCompletion(performance.now(), accountId)
  else if (ending.outcome === 'upstream_cut' && ending.error !== undefined) {
    row.result = failureOf(ending.error, row.status)
    health.recordBreakOff(performance.now(), row.result, accountId)
  }
}
