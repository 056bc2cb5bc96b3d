import type { RequestRecord } from './request-record.ts'

/** A record as JSON with names. Refused rows are kept like this, for people to read. */
export type RecordPayload = Omit<
  RequestRecord,
  'holdPico' | 'chargePico' | 'vendorCostPico' | 'ownCostPico' | 'baselinePico' | 'dropped'
> & {
  holdPico: string
  chargePico: string
  /** Absent in payloads of an earlier version. */
  vendorCostPico?: string | null
  ownCostPico?: string | null
  dropped?: readonly string[]
  baselinePico: string | null
  /** The name of `budgetLeases` in payloads of an earlier version. */
  limits?: readonly string[]
}

/** A row has about a thousand characters. What vendors add to their usage may have any size. */
const maxJsonLength = 64 * 1024
const maxModelLength = 1_000

/** Amounts are decimal strings. See `boundedJson` for what may be dropped. */
export function recordToPayload(record: RequestRecord): string {
  return boundedJson(record, toPayload)
}

/**
 * The JSON of a record. Vendors' data are dropped if they are too large or not JSON: the charge is computed
 * from the rest.
 * @param toJson throws what `JSON.stringify` throws
 */
export function boundedJson(record: RequestRecord, toJson: (record: RequestRecord) => string): string {
  const whole = jsonOf(record, toJson)
  if (whole !== undefined && whole.length <= maxJsonLength) return whole
  return toJson(withoutForeign(record))
}

/** Undefined if it cannot be written as JSON, for example because it is nested too deeply. */
function jsonOf(record: RequestRecord, toJson: (record: RequestRecord) => string): string | undefined {
  try {
    return toJson(record)
  } catch {
    return undefined
  }
}

function withoutForeign(record: RequestRecord): RequestRecord {
  const { usage, modelAsked } = record
  return {
    ...record,
    modelAsked: modelAsked === null ? null : modelAsked.slice(0, maxModelLength),
    usage: usage === null ? null : { ...usage, raw: 'not stored: too large, or not JSON' },
  }
}

function toPayload(record: RequestRecord): string {
  const { ownCostPico, ...rest } = record
  const payload: RecordPayload = {
    ...rest,
    holdPico: String(record.holdPico),
    chargePico: String(record.chargePico),
    vendorCostPico: decimalOf(record.vendorCostPico),
    baselinePico: decimalOf(record.baselinePico),
    ...(ownCostPico !== undefined && { ownCostPico: decimalOf(ownCostPico) }),
  }
  return JSON.stringify(payload)
}

/** Reuses the object: it was just parsed, and nothing else refers to it. */
export function fromPayload(payload: RecordPayload): RequestRecord {
  const { holdPico, chargePico, vendorCostPico = null, ownCostPico, baselinePico, dropped = [] } = payload
  if (Array.isArray(payload.limits)) payload.budgetLeases = payload.limits.join(' ')
  return Object.assign(payload, {
    dropped,
    holdPico: BigInt(holdPico),
    chargePico: BigInt(chargePico),
    vendorCostPico: picoOf(vendorCostPico),
    ownCostPico: typeof ownCostPico === 'string' ? BigInt(ownCostPico) : ownCostPico,
    baselinePico: picoOf(baselinePico),
  })
}

export function decimalOf(pico: bigint | null | undefined): string | null {
  return pico === null || pico === undefined ? null : String(pico)
}

/** @throws {SyntaxError} if it is not a whole number */
export function picoOf(decimal: string | null): bigint | null {
  return decimal === null ? null : BigInt(decimal)
}
