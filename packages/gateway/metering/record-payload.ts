import type { RequestRecord } from './request-record.ts'

type StoredRecord = Omit<RequestRecord, 'holdPico' | 'chargePico' | 'vendorCostPico' | 'baselinePico'> & {
  holdPico: string
  chargePico: string
  /** Absent in lines of an earlier version. */
  vendorCostPico?: string | null
  baselinePico: string | null
}

/** A record as the outbox keeps it: JSON, in which amounts are decimal strings. */
export function recordToPayload(record: RequestRecord): string {
  const stored: StoredRecord = {
    ...record,
    holdPico: String(record.holdPico),
    chargePico: String(record.chargePico),
    vendorCostPico: record.vendorCostPico === null ? null : String(record.vendorCostPico),
    baselinePico: record.baselinePico === null ? null : String(record.baselinePico),
  }
  return JSON.stringify(stored)
}

/** The records of payloads, one a line. */
export function recordsFromLines(lines: Uint8Array): RequestRecord[] {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('utf8')
  return (JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as StoredRecord[]).map(restored)
}

function restored(stored: StoredRecord): RequestRecord {
  const { holdPico, chargePico, vendorCostPico = null, baselinePico } = stored
  return {
    ...stored,
    holdPico: BigInt(holdPico),
    chargePico: BigInt(chargePico),
    vendorCostPico: vendorCostPico === null ? null : BigInt(vendorCostPico),
    baselinePico: baselinePico === null ? null : BigInt(baselinePico),
  }
}
