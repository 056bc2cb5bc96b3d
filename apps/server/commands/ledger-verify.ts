import { existsSync } from 'node:fs'
import { explainDifference, type LedgerVerification } from '@turnpike/billing'
import type { Configuration } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load.ts'
import { formatMistake } from '../configuration/mistakes/mistake.ts'
import { verifyBooks } from '../nodes/verify-books.ts'
import { databasePath, openStores } from '../open-stores.ts'

const differs = 1
const notRead = 2

/**
 * `turnpike-gateway ledger verify`: prints what differs, one line each, the first difference first, or
 * `OK`. What a difference means is printed as an error. It may run beside the gateway, because it reads one
 * snapshot of the database. Resolves with the exit code.
 */
export async function ledgerVerify(
  options: Parameters<typeof loadConfiguration>[0],
  print: (text: string) => void,
  printError: (text: string) => void,
): Promise<number> {
  const loaded = loadConfiguration(options)
  if (loaded.configuration === undefined) {
    for (const mistake of loaded.mistakes) printError(`${formatMistake(loaded.file, mistake)}\n`)
    return notRead
  }
  try {
    const { checked, differences } = await verify(loaded.configuration)
    for (const difference of differences) {
      const { subject, expected, found } = difference
      print(`${subject}: expected ${expected}, found ${found}\n`)
      const { meaning, remedy } = explainDifference(difference)
      printError(`  ${meaning} ${remedy}\n`)
    }
    if (differences.length === 0) print(`OK: ${checked} balances, leases and charges recomputed\n`)
    return differences.length === 0 ? 0 : differs
  } catch (error) {
    printError(
      `turnpike: the ledger cannot be read: ${error instanceof Error ? error.message : String(error)}\n`,
    )
    return notRead
  }
}

async function verify(configuration: Configuration): Promise<LedgerVerification> {
  const path = databasePath(configuration)
  // Opening it would create an empty database, which always verifies.
  if (configuration.databaseUrl === null && !existsSync(path)) throw new Error(`${path} does not exist`)
  const storage = await openStores(configuration, { asItIs: true })
  try {
    return await verifyBooks(storage, configuration.dataDir)
  } finally {
    await storage.close()
  }
}
