import type { RequestRecord } from './request-record.ts'

/** A record as the outbox keeps it: JSON, in which the two amounts are decimal strings. */
export function recordToPayload(record: RequestRecord): string {
  return JSON.stringify({
    ...record,
    holdPico: String(record.holdPico),
    chargePico: String(record.chargePico),
  })
}

export function recordFromPayload(payload: string): RequestRecord {
  const stored = JSON.parse(payload) as Omit<RequestRecord, 'holdPico' | 'chargePico'> & {
    holdPico: string
    chargePico: string
  }
  return { ...stored, holdPico: BigInt(stored.holdPico), chargePico: BigInt(stored.chargePico) }
}
