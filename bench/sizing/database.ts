import { newIdentifier } from '@turnpike/protocol'
import { openStorage, type Storage } from '@turnpike/storage'
import { fundedKey, grant, newRecord } from '@turnpike/storage/testing/fixtures.ts'
import { DatabaseServer } from './database-server.ts'

/** The size of the outbox's batches. */
const batchRows = 500
const batches = 24
const creditPico = 1_000_000_000_000_000n
const transactions = 3_000
/** Concurrent operations, as of this many nodes. */
const atOnce = 8
const tags = ['team:search', 'env:production']

export interface DatabaseCosts {
  what: string
  perSecond: number
  /** CPU microseconds per operation. */
  database: number
}

/** Measures the limits of PostgreSQL alone: rows of finished requests, leases, movements of credit. */
export async function databaseCosts(programs: string): Promise<DatabaseCosts[]> {
  const server = await DatabaseServer.start(programs)
  const storage = await openStorage({ engine: 'postgres', url: server.url })
  try {
    const key = () => fundedKey(storage, creditPico)
    const four = [await key(), await key(), await key(), await key()]
    const one = four.slice(0, 1)
    const shared = [one[0]!, one[0]!, one[0]!, one[0]!]
    const keys = await Promise.all(Array.from({ length: 50 }, key))
    const lease = (count: number) => {
      const { id } = keys[count % keys.length]!
      return storage.leases.take(`node-${count % atOnce}`, id, 1_000n, 1_000_000n, Date.now())
    }
    const move = (count: number) => grant(storage, keys[count % keys.length]!.accountId, 1_000n)
    await flushBatches(storage, one, 4)
    return [
      await measureCosts('rows, from one node', server, () => flushBatches(storage, one, batches)),
      await measureCosts('rows, from four nodes, an account each', server, () =>
        flushBatches(storage, four, batches / 4),
      ),
      await measureCosts('rows, from four nodes, one key', server, () =>
        flushBatches(storage, shared, batches / 4),
      ),
      await measureCosts('leases', server, () => repeat(lease)),
      await measureCosts('movements of credit', server, () => repeat(move)),
    ]
  } finally {
    await storage.close()
    await server.remove()
  }
}

async function measureCosts(
  what: string,
  server: DatabaseServer,
  work: () => Promise<number>,
): Promise<DatabaseCosts> {
  const startedAtMs = performance.now()
  const before = server.cpuMicroseconds()
  const count = await work()
  const seconds = (performance.now() - startedAtMs) / 1_000
  return { what, perSecond: count / seconds, database: (server.cpuMicroseconds() - before) / count }
}

/** Simulates concurrent nodes, each with its own key and one batch at a time; returns the number of rows. */
async function flushBatches(
  storage: Storage,
  nodes: readonly { id: string; accountId: string }[],
  batchesOfEach: number,
): Promise<number> {
  const one = async (key: { id: string; accountId: string }, node: number): Promise<void> => {
    for (let batch = 0; batch < batchesOfEach; batch++) {
      const startedAtMs = Date.now()
      const row = () => newRecord(key, { id: newIdentifier('req', startedAtMs), startedAtMs, tags })
      await storage.requests.write(`node-${node}`, Array.from({ length: batchRows }, row))
    }
  }
  await Promise.all(nodes.map(one))
  return nodes.length * batchesOfEach * batchRows
}

async function repeat(transaction: (count: number) => Promise<unknown>): Promise<number> {
  let begun = 0
  const one = async (): Promise<void> => {
    while (begun < transactions) await transaction(begun++)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return transactions
}
