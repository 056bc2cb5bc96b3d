import { formatUsd } from '@turnpike/billing'
import type { RequestObserver, RequestRecord } from '@turnpike/gateway'
import { operationByEndpoint } from '@turnpike/protocol'
import type { NodeLog } from './redacting-log.ts'

/**
 * Logs one line per request from its row. Of the caller's and the model's text, it has the model's name
 * only.
 */
export function accessLog(log: Pick<NodeLog, 'info'>): RequestObserver {
  return { settled: (record) => log.info(accessLine(record), 'request') }
}

function accessLine(record: RequestRecord): Record<string, unknown> {
  return {
    requestId: record.id,
    accountId: record.accountId,
    keyId: record.keyId,
    endpoint: record.endpoint,
    operation: operationByEndpoint[record.endpoint],
    stream: record.stream,
    // The catalog's name, because the name in the request may be anything.
    model: record.modelServed,
    provider: record.provider,
    tier: record.tier,
    outcome: record.outcome,
    status: record.status,
    errorType: record.errorType,
    tokensIn: record.tokensIn,
    tokensOut: record.tokensOut,
    costUsd: formatUsd(record.chargePico),
    durationMs: record.durationMs,
    firstTokenMs: record.firstTokenMs,
    attempts: record.attempts.map(({ provider, model, result, status, durationMs }) => ({
      provider,
      model,
      result,
      status,
      durationMs,
    })),
  }
}
