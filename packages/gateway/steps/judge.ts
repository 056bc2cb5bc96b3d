import type { Ending } from '../context/ending.ts'
import type { Held } from '../context/stages.ts'
import { failureOf } from '../upstream/failure.ts'

/** What an answer's ending says of its upstream: one that breaks its answers off is one that fails. */
export function judge({ health, record, key }: Held, ending: Ending): void {
  if (ending.outcome === 'completed') health.finished(performance.now(), key.accountId)
  else if (ending.outcome === 'upstream_cut' && ending.error !== undefined) {
    const row = record.attempts.at(-1)!
    row.result = failureOf(ending.error, row.status)
    health.brokeOff(performance.now(), row.result, key.accountId)
  }
}
