import type { AttemptRecord, RequestRecord, RouteRecord } from '@turnpike/gateway'
import type { LineRecord } from '@turnpike/gateway/record-line'
import type { ErrorType, Outcome, Pricing, Usage } from '@turnpike/protocol'
import type { Selectable } from 'kysely'
import type { BulkColumn, BulkValue } from '../database/bulk.ts'
import type { Connection, RequestTable } from '../schema.ts'

/** Conversion of a record to its rows in `requests` and `prices`, and back. */

export const requestColumns: BulkColumn[] = [
  { name: 'id', type: 'text' },
  { name: 'account_id', type: 'text', isShared: true },
  { name: 'key_id', type: 'text', isShared: true },
  { name: 'started_at_ms', type: 'bigint' },
  { name: 'endpoint', type: 'text', isShared: true },
  { name: 'stream', type: 'bigint', isShared: true },
  { name: 'model_asked', type: 'text', isShared: true },
  { name: 'model_served', type: 'text', isShared: true },
  { name: 'provider', type: 'text', isShared: true },
  { name: 'tier', type: 'text', isShared: true },
  { name: 'route', type: 'text', isShared: true },
  { name: 'baseline_pico', type: 'bigint', isShared: true },
  { name: 'tags', type: 'text', isShared: true },
  { name: 'tag_set', type: 'text', isShared: true },
  { name: 'outcome', type: 'text', isShared: true },
  { name: 'status', type: 'bigint', isShared: true },
  { name: 'error_type', type: 'text', isShared: true },
  { name: 'error_param', type: 'text', isShared: true },
  { name: 'attempts', type: 'text' },
  { name: 'dropped', type: 'text', isShared: true },
  { name: 'usage', type: 'text' },
  { name: 'tokens_in', type: 'bigint' },
  { name: 'tokens_out', type: 'bigint' },
  { name: 'price_version', type: 'text', isShared: true },
  { name: 'markup', type: 'text', isShared: true },
  { name: 'hold_pico', type: 'bigint' },
  { name: 'charge_pico', type: 'bigint' },
  { name: 'is_entry', type: 'bigint', isShared: true },
  { name: 'vendor_cost_pico', type: 'bigint' },
  { name: 'is_byok', type: 'bigint', isShared: true },
  { name: 'own_cost_pico', type: 'bigint', isShared: true },
  { name: 'duration_ms', type: 'bigint' },
  { name: 'first_token_ms', type: 'bigint' },
]

/**
 * @param record as returned by `storableRecord`
 * @param tagSet the name of its set of tags
 */
export function requestValues(record: LineRecord, tagSet: string): BulkValue[] {
  return [
    record.id,
    record.accountId,
    record.keyId,
    record.startedAtMs,
    record.endpoint,
    record.stream ? 1 : 0,
    record.modelAsked,
    record.modelServed,
    record.provider,
    record.tier,
    record.route === null ? null : JSON.stringify(record.route),
    record.baselinePico,
    JSON.stringify(record.tags),
    tagSet,
    record.outcome,
    record.status,
    record.errorType,
    record.errorParam ?? null,
    JSON.stringify(record.attempts),
    record.dropped.length === 0 ? null : JSON.stringify(record.dropped),
    record.usageJson,
    record.tokensIn,
    record.tokensOut,
    record.priceVersion,
    record.markup,
    record.holdPico,
    record.chargePico,
    record.chargePico > 0n ? 1 : 0,
    record.vendorCostPico,
    record.isByok === true ? 1 : 0,
    record.ownCostPico ?? null,
    record.durationMs,
    record.firstTokenMs,
  ]
}

export const priceColumns: BulkColumn[] = [
  { name: 'version', type: 'text' },
  { name: 'pricing', type: 'text' },
  { name: 'created_at_ms', type: 'bigint' },
]

/** Prices that are not known to be stored, once each, in a fixed order, so that no two writers deadlock. */
export function priceValues(records: readonly LineRecord[], knownPrices: ReadonlySet<string>): BulkValue[] {
  const missing = new Map<string, string>()
  for (const { priceVersion: version, pricingJson } of records)
    if (version !== null && pricingJson !== null && !knownPrices.has(version))
      missing.set(version, pricingJson)
  return [...missing.keys()].sort().flatMap((version) => [version, missing.get(version)!, Date.now()])
}

/** Request rows with their prices. Every column is qualified, because callers may join further tables. */
export function requestsWithPrices(connection: Connection) {
  return connection
    .selectFrom('requests')
    .leftJoin('prices', 'prices.version', 'requests.price_version')
    .selectAll('requests')
    .select('prices.pricing')
}

export type RequestRow = Selectable<RequestTable> & { pricing: string | null }

export function toRecord(row: RequestRow): RequestRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    ...(row.paid_by !== null && { paidBy: row.paid_by }),
    startedAtMs: Number(row.started_at_ms),
    endpoint: row.endpoint as RequestRecord['endpoint'],
    stream: row.stream === 1n,
    modelAsked: row.model_asked,
    modelServed: row.model_served,
    provider: row.provider,
    tier: row.tier,
    route: row.route === null ? null : (JSON.parse(row.route) as RouteRecord),
    baselinePico: row.baseline_pico,
    tags: JSON.parse(row.tags) as string[],
    outcome: row.outcome as Outcome,
    status: Number(row.status),
    errorType: row.error_type as ErrorType | null,
    ...(row.error_param !== null && { errorParam: row.error_param }),
    attempts: JSON.parse(row.attempts) as AttemptRecord[],
    dropped: row.dropped === null ? [] : (JSON.parse(row.dropped) as string[]),
    usage: row.usage === null ? null : (JSON.parse(row.usage) as Usage),
    tokensIn: Number(row.tokens_in),
    tokensOut: Number(row.tokens_out),
    priceVersion: row.price_version,
    pricing: row.pricing === null ? null : (JSON.parse(row.pricing) as Pricing),
    markup: row.markup,
    holdPico: row.hold_pico,
    chargePico: row.charge_pico,
    vendorCostPico: row.vendor_cost_pico,
    ...(row.is_byok === 1n && { isByok: true as const, ownCostPico: row.own_cost_pico }),
    durationMs: Number(row.duration_ms),
    firstTokenMs: row.first_token_ms === null ? null : Number(row.first_token_ms),
  }
}
