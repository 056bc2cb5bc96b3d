import type { Candidate } from '../candidates/candidate.ts'
import type { AttemptRecord } from '../records/request-record.ts'

/** What a request's row keeps of one candidate. */
export function attemptRow({ provider, upstream, health }: Candidate, result: string): AttemptRecord {
  const row: AttemptRecord = {
    provider: provider.name,
    model: upstream.model,
    status: null,
    result,
    durationMs: 0,
  }
  if (provider.apiKeys.length > 1 && health.ofKey.key !== null) row.key = health.ofKey.key
  return row
}
