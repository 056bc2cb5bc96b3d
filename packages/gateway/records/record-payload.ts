import type { RequestRecord } from './request-record.ts'
import type { RefusedRecord } from './stores.ts'

type StoredRecord = Omit<
  RequestRecord,
  'holdPico' | 'chargePico' | 'vendorCostPico' | 'ownCostPico' | 'baselinePico' | 'dropped'
> & {
  holdPico: string
  chargePico: string
  /** Absent in lines of an earlier version. */
  vendorCostPico?: string | null
  ownCostPico?: string | null
  dropped?: readonly string[]
  baselinePico: string | null
  /** The name of `budgetLeases` in lines of an earlier version. */
  limits?: readonly string[]
}

/** A row has about two thousand characters. What vendors add to their usage may have any size. */
const maxPayloadLength = 64 * 1024
const maxModelLength = 1_000

/**
 * A record as the outbox keeps it: JSON with amounts as decimal strings. Vendors' data are dropped if they
 * are too large or not JSON: the charge is computed from the rest.
 */
export function recordToPayload(record: RequestRecord): string {
  const whole = jsonOf(record)
  if (whole !== undefined && whole.length <= maxPayloadLength) return whole
  return JSON.stringify(toStored(withoutForeign(record)))
}

/** Undefined if it cannot be written as JSON, for example because it is nested too deeply. */
function jsonOf(record: RequestRecord): string | undefined {
  try {
    return JSON.stringify(toStored(record))
  } catch {
    return undefined
  }
}

function toStored(record: RequestRecord): StoredRecord {
  const { ownCostPico, ...rest } = record
  return {
    ...rest,
    holdPico: String(record.holdPico),
    chargePico: String(record.chargePico),
    vendorCostPico: record.vendorCostPico === null ? null : String(record.vendorCostPico),
    baselinePico: record.baselinePico === null ? null : String(record.baselinePico),
    ...(ownCostPico !== undefined && { ownCostPico: ownCostPico === null ? null : String(ownCostPico) }),
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

/** Parses payloads, one per line, and separates lines that are not records. */
export function recordsFromLines(lines: Uint8Array): {
  records: RequestRecord[]
  unreadable: RefusedRecord[]
} {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('utf8').trimEnd()
  try {
    const all = JSON.parse(`[${text.replaceAll('\n', ',')}]`) as StoredRecord[]
    return { records: all.map(fromStored), unreadable: [] }
  } catch {
    return oneByOne(text.split('\n'))
  }
}

function oneByOne(lines: readonly string[]): ReturnType<typeof recordsFromLines> {
  const records: RequestRecord[] = []
  const unreadable: RefusedRecord[] = []
  for (const payload of lines) {
    try {
      records.push(fromStored(JSON.parse(payload) as StoredRecord))
    } catch (error) {
      unreadable.push({ payload, requestId: null, message: `it is no record: ${String(error)}` })
    }
  }
  return { records, unreadable }
}

/** Reuses the object: it was just parsed, and nothing else refers to it. */
function fromStored(stored: StoredRecord): RequestRecord {
  const { holdPico, chargePico, vendorCostPico = null, ownCostPico, baselinePico, dropped = [] } = stored
  if (Array.isArray(stored.limits)) stored.budgetLeases = stored.limits.join(' ')
  return Object.assign(stored, {
    dropped,
    holdPico: BigInt(holdPico),
    chargePico: BigInt(chargePico),
    vendorCostPico: vendorCostPico === null ? null : BigInt(vendorCostPico),
    ownCostPico: typeof ownCostPico === 'string' ? BigInt(ownCostPico) : ownCostPico,
    baselinePico: baselinePico === null ? null : BigInt(baselinePico),
  })
}
