import { formatUsd } from '@turnpike/billing'
import { GatewayError, newIdentifier } from '@turnpike/protocol'
import { readSetAside, SetAside, type Storage } from '@turnpike/storage'
import type { Configuration } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load.ts'
import { formatMistake } from '../configuration/mistakes/mistake.ts'
import { setAsideRows } from '../nodes/set-aside-rows.ts'
import { outboxFolders } from '../nodes/verify-books.ts'
import { openStores } from '../open-stores.ts'

const notDone = 1
const notRead = 2
/** Rows that are listed; further rows are only counted. */
const mostShown = 1_000

export type SetAsideAction =
  | { does: 'list' }
  | { does: 'retry'; id: string }
  | { does: 'discard'; id: string; reason: string }

interface Printers {
  print: (text: string) => void
  printError: (text: string) => void
}

/**
 * `turnpike-gateway set-aside`: the rows of this data directory that the database refused permanently. It
 * can always list them. It can change only rows that no running gateway has open, such as those of a worker
 * that no longer exists. Resolves with the exit code.
 */
export async function setAside(
  action: SetAsideAction,
  options: Parameters<typeof loadConfiguration>[0],
  { print, printError }: Printers,
): Promise<number> {
  const loaded = loadConfiguration(options)
  if (loaded.configuration === undefined) {
    for (const mistake of loaded.mistakes) printError(`${formatMistake(loaded.file, mistake)}\n`)
    return notRead
  }
  const { configuration } = loaded
  try {
    if (action.does === 'list') return list(configuration, print)
    return await change(action, configuration, print)
  } catch (error) {
    printError(`turnpike: ${error instanceof Error ? error.message : String(error)}\n`)
    return error instanceof GatewayError ? notDone : notRead
  }
}

/** Prints one row per line, with tabs between the fields. */
function list({ dataDir }: Configuration, print: Printers['print']): number {
  const rows = outboxFolders(dataDir).flatMap((folder) => readSetAside(folder).rows)
  for (const { id, requestId, chargePico, reason } of rows.slice(0, mostShown))
    print(`${id}\t${requestId ?? '-'}\t${formatUsd(chargePico)}\t${reason.replaceAll(/\s+/g, ' ')}\n`)
  if (rows.length > mostShown) print(`and ${rows.length - mostShown} more\n`)
  return 0
}

type Change = Exclude<SetAsideAction, { does: 'list' }>

async function change(
  action: Change,
  configuration: Configuration,
  print: Printers['print'],
): Promise<number> {
  const { dataDir } = configuration
  const { id } = action
  const folder = outboxFolders(dataDir).find((one) => readSetAside(one).rows.some((row) => row.id === id))
  if (folder === undefined) throw new GatewayError('not_found_error', 'Row not found here.')
  const refused = openSetAside(folder)
  try {
    const storage = await openStores(configuration, { asItIs: true })
    try {
      const rows = setAsideRows({ storage, rows: { folder, refused }, dataDir })
      const reason = action.does === 'retry' ? await rows.retry(id) : await rows.discard(id)
      await keepInAudit(storage, action, reason === undefined)
      if (reason !== undefined) {
        print(`${id}: rejected again: ${reason}\n`)
        return notDone
      }
      print(`${id}: ${action.does === 'retry' ? 'written and charged' : 'discarded'}\n`)
      return 0
    } finally {
      await storage.close()
    }
  } finally {
    refused.close()
  }
}

/** @throws {GatewayError} 409 if a running gateway has the rows open */
function openSetAside(folder: string): SetAside {
  try {
    return new SetAside(folder)
  } catch (cause) {
    const message =
      'The row belongs to a running gateway. Retry or discard it in Operator > Books, or with the API.'
    throw new GatewayError('conflict_error', message, { cause })
  }
}

/** Writes the same audit entry as the API does for this action. */
async function keepInAudit(
  { audit }: Pick<Storage, 'audit'>,
  action: Change,
  isDone: boolean,
): Promise<void> {
  const nowMs = Date.now()
  await audit.append({
    requestId: newIdentifier('req', nowMs),
    atMs: nowMs,
    actor: 'operator',
    subject: null,
    action: action.does === 'retry' ? 'retrySetAsideRow' : 'discardSetAsideRow',
    accountId: null,
    target: action.id,
    status: isDone ? 200 : 409,
    details: JSON.stringify({
      by: 'turnpike-gateway set-aside',
      ...(action.does === 'discard' && { reason: action.reason }),
    }),
    address: '',
  })
}
