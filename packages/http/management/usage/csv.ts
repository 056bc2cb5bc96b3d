import { formatUsd } from '@turnpike/billing'
import type { RequestRecord } from '@turnpike/gateway'
import { operationByEndpoint } from '@turnpike/protocol'
import { csvFormat } from '../files/csv.ts'
import { epochSeconds } from '../validation/fields.ts'

/** The columns of an export. */
export const requestCsv = csvFormat<RequestRecord>({
  id: (record) => record.id,
  created_at: (record) => epochSeconds(record.startedAtMs),
  account_id: (record) => record.accountId,
  key_id: (record) => record.keyId,
  endpoint: (record) => record.endpoint,
  stream: (record) => record.stream,
  // A JSON array: a tag may contain any character, so no separator would be safe.
  tags: (record) => JSON.stringify(record.tags),
  model_asked: (record) => record.modelAsked,
  model_served: (record) => record.modelServed,
  provider: (record) => record.provider,
  tier: (record) => record.tier,
  attempts: (record) => record.attempts.length,
  outcome: (record) => record.outcome,
  status: (record) => record.status,
  error_type: (record) => record.errorType,
  tokens_in: (record) => record.tokensIn,
  tokens_out: (record) => record.tokensOut,
  cost_usd: (record) => formatUsd(record.chargePico),
  latency_ms: (record) => record.durationMs,
  time_to_first_token_ms: (record) => record.firstTokenMs,
  operation: (record) => operationByEndpoint[record.endpoint],
  paid_by: (record) => record.paidBy ?? null,
  error_param: (record) => record.errorParam ?? null,
  is_byok: (record) => record.isByok === true,
  own_cost_usd: (record) => (typeof record.ownCostPico === 'bigint' ? formatUsd(record.ownCostPico) : null),
})
