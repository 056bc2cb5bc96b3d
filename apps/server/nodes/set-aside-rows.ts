import { relative } from 'node:path'
import type { SetAsideService, SetAsideView } from '@turnpike/http'
import { GatewayError } from '@turnpike/protocol'
import { readSetAside, type FileOutboxLog, type SetAsideRow, type Storage } from '@turnpike/storage'
import { outboxFolders } from './verify-books.ts'

interface SetAsideParts {
  storage: Pick<Storage, 'requests' | 'usage'>
  /** The outbox of this process. */
  rows: Pick<FileOutboxLog, 'folder' | 'refused'>
  dataDir: string
}

/**
 * This node has no leases: the lease of the request's hold took the charge into account when the row was
 * refused. So the charge is taken from the key's credit, as if it exceeded a lease.
 */
const nodeOfRetries = 'node_of_set_aside_rows'

/**
 * The rows that the database refused, from all processes in this data directory. Only this process's own
 * rows can be changed.
 */
export function setAsideRows({ storage, rows: own, dataDir }: SetAsideParts): SetAsideService {
  const ownRow = (id: string): SetAsideRow => {
    const found = own.refused.rows().find((row) => row.id === id)
    if (found !== undefined) return found
    const isOthers = outboxFolders(dataDir).some((folder) =>
      readSetAside(folder).rows.some((row) => row.id === id),
    )
    if (!isOthers) throw new GatewayError('not_found_error', 'Row not found on this node.')
    throw new GatewayError(
      'conflict_error',
      'The row belongs to another worker, and only that worker can change it.',
    )
  }
  return {
    async list(limit) {
      const views: SetAsideView[] = []
      let total = 0
      for (const folder of outboxFolders(dataDir)) {
        const isOwn = folder === own.folder
        const rows = isOwn ? own.refused.rows() : readSetAside(folder).rows
        total += rows.length
        for (const row of rows.slice(0, limit - views.length))
          views.push({
            ...viewOf(row),
            place: relative(dataDir, folder),
            isOwn,
            isStored: await isStored(storage, row),
          })
      }
      return { rows: views, total }
    },
    async retry(id) {
      const { payload } = ownRow(id)
      const lines = new Uint8Array(new TextEncoder().encode(payload))
      const { refused } = await storage.requests.writeLines(nodeOfRetries, lines)
      const reason = refused[0]?.message
      if (reason === undefined) own.refused.remove(id)
      else own.refused.keepReason(id, reason)
      return reason
    },
    discard: async (id) => own.refused.remove(ownRow(id).id),
  }
}

async function isStored({ usage }: Pick<Storage, 'usage'>, { requestId }: SetAsideRow): Promise<boolean> {
  return requestId !== null && (await usage.request(undefined, requestId)) !== undefined
}

type Facts = Pick<SetAsideView, 'accountId' | 'keyId' | 'model' | 'startedAtMs'>

function viewOf({ id, reason, requestId, chargePico, payload }: SetAsideRow) {
  return { id, reason, requestId, chargePico, ...factsOf(payload) }
}

/** The facts that can be read from a row. It may not be JSON, and may contain anything. */
function factsOf(payload: string): Facts {
  const found = parsePayload(payload)
  const text = (name: string): string | null => {
    const value = found[name]
    return typeof value === 'string' ? value.slice(0, 256).toWellFormed() : null
  }
  const { startedAtMs } = found
  const isTime = typeof startedAtMs === 'number' && startedAtMs >= 0 && startedAtMs < Date.UTC(10_000, 0)
  return {
    accountId: text('accountId'),
    keyId: text('keyId'),
    model: text('modelServed') ?? text('modelTried') ?? text('modelAsked'),
    startedAtMs: isTime ? startedAtMs : null,
  }
}

function parsePayload(payload: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(payload)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
