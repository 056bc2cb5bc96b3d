import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { LedgerDifference, LedgerVerification, VerifyOptions } from '@turnpike/billing'
import { readSetAside, type SetAsideRow, type Storage } from '@turnpike/storage'

/** Rows up to this number are listed; further rows are only counted. */
const maxNamed = 1_000

/**
 * Adds to `ledger.verify` what never reached the database: rows set aside in this data directory, whose
 * charges are in no ledger, and bytes of the outbox that are no longer rows. Other nodes report their own.
 */
export async function verifyBooks(
  { ledger, usage }: Pick<Storage, 'ledger' | 'usage'>,
  dataDir: string,
  options: VerifyOptions = {},
): Promise<LedgerVerification> {
  const { checked, differences, stopped } = await ledger.verify(options)
  let compared = checked
  let unnamed = 0
  for (const folder of outboxFolders(dataDir)) {
    const { rows, damaged } = readSetAside(folder)
    compared += rows.length + damaged.length
    for (const row of rows) {
      if (differences.length >= maxNamed) unnamed++
      else if (row.requestId === null || (await usage.request(undefined, row.requestId)) === undefined)
        differences.push(missingFromLedger(row, relative(dataDir, folder)))
    }
    for (const { path, bytes } of damaged)
      differences.push({
        subject: `bytes that are no rows in ${relative(dataDir, path)}`,
        expected: '0',
        found: String(bytes),
      })
  }
  if (unnamed > 0)
    differences.push({ subject: 'further rows set aside', expected: '0', found: String(unnamed) })
  const ok = stopped !== true && differences.length === 0
  return { ok, checked: compared, differences, ...(stopped && { stopped }) }
}

/** Extends the stores' ledger verification by what never reached the database. */
export function verifyingAll(storage: Storage, dataDir: string): Storage {
  return {
    ...storage,
    ledger: { ...storage.ledger, verify: (options) => verifyBooks(storage, dataDir, options) },
  }
}

function missingFromLedger({ requestId, chargePico, reason }: SetAsideRow, folder: string): LedgerDifference {
  return {
    subject: `charge of ${requestId ?? 'a row that cannot be read'}, set aside in ${folder}`,
    expected: String(chargePico),
    found: `none: ${reason}`,
  }
}

/** The outboxes of this process, of others that share its data directory, and of former ones. */
export function outboxFolders(dataDir: string): string[] {
  const workers = join(dataDir, 'workers')
  const numbers = existsSync(workers) ? readdirSync(workers).toSorted() : []
  return [dataDir, ...numbers.map((number) => join(workers, number))].map((directory) =>
    join(directory, 'outbox'),
  )
}
