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

/** The records of payloads, one a line. */
export function recordsFromLines(lines: Uint8Array): RequestRecord[] {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('utf8')
  return (JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as StoredRecord[]).map(restored)
}

function restored(stored: StoredRecord): RequestRecord {
  return { ...stored, holdPico: BigInt(stored.holdPico), chargePico: BigInt(stored.chargePico) }
}
