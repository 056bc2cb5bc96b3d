import { maxPico } from '@turnpike/billing'
import type { LineRecord } from '@turnpike/gateway/record-line'
import { storableText } from '../database/storable-text.ts'

/** More than any request can have. Vendors may report any number, but totals are sums of 64 bits. */
const maxTokens = 1_000_000_000_000
const maxDurationMs = 1_000_000_000_000
/** Earlier times come from a clock that was never set. Period names end with the year 9999. */
const minTimeMs = Date.UTC(2000, 0)
const maxTimeMs = Date.UTC(10_000, 0) - 1
const maxStatus = 999
/** Length of a value in a message. */
const maxShown = 40

/** Rows are found and partitioned by the time in their identifier. */
const identifier = /^req_[0-9a-hjkmnp-tv-z]{26}$/

/** A record that no retry can bring into the database. */
export class UnstorableRecord extends Error {
  override readonly name = 'UnstorableRecord'
}

/**
 * The record as its row will be. Descriptive values (tokens, times, texts) are brought into the range of
 * their columns, so that the charge is kept. Payer, amount and date are exact, or the record is refused.
 * @throws {UnstorableRecord}
 */
export function storableRecord(record: LineRecord): LineRecord {
  const { startedAtMs, status, tags } = record
  if (!(startedAtMs >= minTimeMs && startedAtMs <= maxTimeMs)) throw unstorable('startedAtMs', startedAtMs)
  if (!(Number.isInteger(status) && status >= 0 && status <= maxStatus)) throw unstorable('status', status)
  if (typeof record.id !== 'string' || !identifier.test(record.id)) throw unstorable('id', record.id)
  if (!Array.isArray(tags)) throw unstorable('tags', tags)
  if (!isAmount(record.chargePico)) throw unstorable('chargePico', record.chargePico)
  return isSound(record) ? record : mend(record)
}

/** Whether all descriptive values can be stored unchanged, as nearly always. */
function isSound(record: LineRecord): boolean {
  const { accountId, keyId, endpoint, modelAsked, modelServed, provider, tier, outcome, errorType } = record
  const { tags, dropped, priceVersion, markup, holdPico, vendorCostPico, baselinePico, firstTokenMs } = record
  return (
    isText(accountId) &&
    isText(keyId) &&
    isText(endpoint) &&
    isText(outcome) &&
    isText(markup) &&
    isTextOrNull(modelAsked) &&
    isTextOrNull(modelServed) &&
    (record.modelTried === undefined || isText(record.modelTried)) &&
    isTextOrNull(provider) &&
    isTextOrNull(tier) &&
    isTextOrNull(errorType) &&
    (record.errorParam === undefined || isText(record.errorParam)) &&
    isTextOrNull(priceVersion) &&
    isTextOrNull(record.usageJson) &&
    isTextOrNull(record.pricingJson) &&
    tags.every(isText) &&
    Array.isArray(dropped) &&
    dropped.every(isText) &&
    isAmount(holdPico) &&
    (vendorCostPico === null || isAmount(vendorCostPico)) &&
    (record.isByok === undefined || isTrue(record.isByok)) &&
    (record.ownCostPico === undefined || record.ownCostPico === null || isAmount(record.ownCostPico)) &&
    (baselinePico === null || isAmount(baselinePico)) &&
    Number.isInteger(record.startedAtMs) &&
    isFigure(record.tokensIn, maxTokens) &&
    isFigure(record.tokensOut, maxTokens) &&
    isFigure(record.durationMs, maxDurationMs) &&
    (firstTokenMs === null || isFigure(firstTokenMs, maxDurationMs))
  )
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && storableText(value) === value
}

function isTrue(value: unknown): boolean {
  return value === true
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value)
}

function isFigure(value: unknown, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most
}

function mend(record: LineRecord): LineRecord {
  const { startedAtMs, tags } = record
  return {
    ...record,
    accountId: text('accountId', record.accountId),
    keyId: text('keyId', record.keyId),
    startedAtMs: Math.round(startedAtMs),
    endpoint: text('endpoint', record.endpoint),
    modelAsked: textOrNull('modelAsked', record.modelAsked),
    modelServed: textOrNull('modelServed', record.modelServed),
    modelTried: typeof record.modelTried === 'string' ? storableText(record.modelTried) : undefined,
    provider: textOrNull('provider', record.provider),
    tier: textOrNull('tier', record.tier),
    baselinePico: isAmount(record.baselinePico) ? record.baselinePico : null,
    tags: tags.map((tag) => text('tags', tag)),
    dropped: Array.isArray(record.dropped) ? record.dropped.filter(isText) : [],
    outcome: text('outcome', record.outcome),
    errorType: textOrNull('errorType', record.errorType),
    errorParam: typeof record.errorParam === 'string' ? storableText(record.errorParam) : undefined,
    tokensIn: figure(record.tokensIn, maxTokens),
    tokensOut: figure(record.tokensOut, maxTokens),
    usageJson: textOrNull('usageJson', record.usageJson),
    priceVersion: textOrNull('priceVersion', record.priceVersion),
    pricingJson: textOrNull('pricingJson', record.pricingJson),
    markup: text('markup', record.markup),
    holdPico: isAmount(record.holdPico) ? record.holdPico : 0n,
    vendorCostPico: isAmount(record.vendorCostPico) ? record.vendorCostPico : null,
    isByok: record.isByok === true ? true : undefined,
    ownCostPico: isAmount(record.ownCostPico) ? record.ownCostPico : null,
    durationMs: figure(record.durationMs, maxDurationMs),
    firstTokenMs: typeof record.firstTokenMs === 'number' ? figure(record.firstTokenMs, maxDurationMs) : null,
  }
}

function isAmount(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= 0n && value <= maxPico
}

/** JSON has neither NaN nor infinity: both arrive as null, which becomes 0. */
function figure(value: unknown, most: number): number {
  if (typeof value !== 'number' || !(value > 0)) return 0
  return value < most ? Math.round(value) : most
}

function text<Text extends string>(field: keyof LineRecord, value: Text): Text {
  if (typeof value !== 'string') throw unstorable(field, value)
  return storableText(value) as Text
}

function textOrNull<Text extends string>(field: keyof LineRecord, value: Text | null): Text | null {
  return value === null || value === undefined ? null : text(field, value)
}

function unstorable(field: keyof LineRecord, value: unknown): UnstorableRecord {
  const isShown = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
  const shown = isShown ? `: ${String(value).slice(0, maxShown)}` : ''
  return new UnstorableRecord(`${field} cannot be stored, a ${typeof value}${shown}`)
}
