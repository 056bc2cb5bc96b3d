import type { Candidate } from '../candidates/candidate.ts'
import type { AttemptRecord } from '../records/request-record.ts'

/** What a request's row records about one candidate. */
export function attemptRow({ provider, upstream, keyNumber, own }: Candidate, result: string): AttemptRecord {
  const row: AttemptRecord = {
    provider: provider.name,
    model: upstream.model,
    status: null,
    result,
    durationMs: 0,
  }
  if (keyNumber !== undefined) row.key = keyNumber
  if (own !== undefined) row.isByok = true
  if (provider.region !== undefined) row.region = provider.region
  return row
}
