import { formatUsd, type LedgerFilter, type LedgerStore, type LedgerTransfer } from '@turnpike/billing'
import { csvFormat } from '../files/csv.ts'
import { fileOfRows, isoDay, jsonLines, type FileFormat, type StreamedFile } from '../files/stream.ts'
import { epochSeconds } from '../validation/fields.ts'
import { changePico, ledgerEntry, topupIdOf } from './record.ts'

const pageRows = 1_000

/** The columns of the file. Their values equal the fields of the list, to the pico-dollar. */
export const ledgerCsv = csvFormat<LedgerTransfer>({
  id: (entry) => entry.id,
  created_at: (entry) => epochSeconds(entry.createdAtMs),
  created_at_utc: (entry) => new Date(entry.createdAtMs).toISOString(),
  kind: (entry) => entry.kind,
  amount_usd: (entry) => ({ amount: formatUsd(entry.amountPico) }),
  change_usd: (entry) => ({ amount: formatUsd(changePico(entry)) }),
  debit_account: (entry) => entry.debitAccount,
  credit_account: (entry) => entry.creditAccount,
  reference: (entry) => entry.reference,
  request_id: (entry) => entry.requestId,
  topup_id: topupIdOf,
  reason: (entry) => entry.reason,
  corrects: (entry) => entry.correctsTransferId,
})

/** The account's entries, newest first, as in the list; entries posted during the export are not included. */
export async function* ledgerRows(
  ledger: Pick<LedgerStore, 'list'>,
  accountId: string,
  filter: LedgerFilter,
): AsyncGenerator<LedgerTransfer> {
  let cursor: string | null = null
  do {
    const page = { limit: pageRows, ...(cursor !== null && { cursor }) }
    const found: Awaited<ReturnType<LedgerStore['list']>> = await ledger.list(accountId, page, filter)
    yield* found.rows
    cursor = found.nextCursor
  } while (cursor !== null)
}

export function ledgerFile(
  rows: AsyncIterable<LedgerTransfer>,
  format: FileFormat,
  nowMs: number,
  onFailure: (error: unknown) => void,
): Promise<StreamedFile> {
  const lines = format === 'csv' ? ledgerCsv : jsonLines(ledgerEntry)
  return fileOfRows(rows, format, { name: `ledger-${isoDay(nowMs)}`, lines, onFailure })
}
