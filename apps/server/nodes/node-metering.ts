import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SpendBook } from '@turnpike/billing'
import { Outbox, type GatewayLog } from '@turnpike/gateway'
import { newIdentifier } from '@turnpike/protocol'
import { FileOutboxLog, type Storage } from '@turnpike/storage'
import type { Configuration } from '../configuration/configuration.ts'
import { ensureSecret } from '../first-run/generated-secret.ts'

export interface NodeMetering {
  nodeId: string
  leaseMs: number
  rows: FileOutboxLog
  leases: SpendBook
  outbox: Outbox
}

/**
 * Opens the outbox and the leases of a node. Flushes the rows and returns the leases of an earlier run,
 * also those of workers that no longer exist.
 */
export async function openMetering(
  configuration: Configuration,
  storage: Storage,
  log: GatewayLog,
): Promise<NodeMetering> {
  for (const directory of findAbandoned(configuration)) {
    const { rows, outbox } = await openIn(directory, configuration, storage, log)
    await outbox.close()
    rows.close()
  }
  return openIn(nodeDirectory(configuration, configuration.worker), configuration, storage, log)
}

async function openIn(
  directory: string,
  { billing }: Configuration,
  storage: Storage,
  log: GatewayLog,
): Promise<NodeMetering> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const { leaseMs, durability } = billing
  const rows = new FileOutboxLog(join(directory, 'outbox'), durability, (path, bytes) =>
    log.error({ path, bytes }, 'outbox: damaged bytes were moved to a separate file'),
  )
  const nodeId = persistentNodeId(directory)
  const leases = new SpendBook(storage, nodeId, { leaseMs })
  const outbox = new Outbox(rows, storage.requests, leases, nodeId, log)
  await outbox.flush()
  await storage.leases.giveBackAll(nodeId)
  await storage.idempotency.releaseAll(nodeId)
  return { nodeId, leaseMs, rows, leases, outbox }
}

/** The directory of a node's identifier and outbox. The workers share everything else in `data_dir`. */
function nodeDirectory({ dataDir }: Configuration, worker: number | undefined): string {
  return worker === undefined ? dataDir : join(dataDir, 'workers', String(worker))
}

/** Outboxes that no process of this gateway will open, because the number of workers has changed. */
function findAbandoned(configuration: Configuration): string[] {
  const { worker, server, dataDir } = configuration
  // The first worker starts alone, before the others.
  if (worker !== undefined && worker !== 1) return []
  const folder = join(dataDir, 'workers')
  const numbers = existsSync(folder) ? readdirSync(folder).map(Number).filter(Number.isInteger) : []
  const known = worker === undefined ? 0 : server.workers
  return [
    ...(worker === undefined ? [] : [dataDir]),
    ...numbers.filter((number) => number > known).map((number) => nodeDirectory(configuration, number)),
  ].filter((directory) => existsSync(join(directory, 'outbox')))
}

/**
 * A node's leases belong to its identifier, so a node that restarts on its data finds its own. The file is
 * written atomically.
 */
function persistentNodeId(directory: string): string {
  return ensureSecret(directory, 'node_id', () => newIdentifier('node'))
}
