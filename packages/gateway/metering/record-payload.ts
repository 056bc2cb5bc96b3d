import type { RequestRecord } from './request-record.ts'

type StoredRecord = Omit<RequestRecord, 'holdPico' | 'chargePico'> & { holdPico: string; chargePico: string }

/** A record as the outbox keeps it: JSON, in which the two amounts are decimal strings. */
export function recordToPayload(record: RequestRecord): string {
  const stored: StoredRecord = {
    ...record,
    holdPico: String(record.holdPico),
    chargePico: String(record.chargePico),
  }
  return JSON.stringify(stored)
}

export function recordFromPayload(payload: string): RequestRecord {
  return restored(JSON.parse(payload) as StoredRecord)
}

/** The records of a JSON array of payloads. */
export function recordsFromPayloads(payloads: string): RequestRecord[] {
  return (JSON.parse(payloads) as StoredRecord[]).map(restored)
}

function restored(stored: StoredRecord): RequestRecord {
  return { ...stored, holdPico: BigInt(stored.holdPico), chargePico: BigInt(stored.chargePico) }
}
