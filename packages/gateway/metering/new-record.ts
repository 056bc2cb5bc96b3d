import type { KnownKey } from '@turnpike/identity'
import type { Received } from '../context/stages.ts'
import type { RequestRecord } from '../records/request-record.ts'

/**
 * A new row for a request of which only the caller is known. Counts as failed until it is settled otherwise.
 */
export function newRecord({ exchange, format }: Received, key: KnownKey, markup: string): RequestRecord {
  return {
    id: exchange.requestId,
    accountId: key.accountId,
    keyId: key.id,
    startedAtMs: exchange.startedAtMs,
    endpoint: format.endpoint,
    stream: false,
    modelAsked: null,
    modelServed: null,
    modelTried: undefined,
    provider: null,
    tier: null,
    route: null,
    baselinePico: null,
    tags: [],
    outcome: 'failed',
    status: 500,
    errorType: null,
    errorParam: undefined,
    attempts: [],
    dropped: [],
    usage: null,
    tokensIn: 0,
    tokensOut: 0,
    priceVersion: null,
    pricing: null,
    markup,
    holdPico: 0n,
    chargePico: 0n,
    budgetLeases: undefined,
    vendorCostPico: 0n,
    isByok: undefined,
    ownCostPico: undefined,
    durationMs: 0,
    firstTokenMs: null,
  }
}
