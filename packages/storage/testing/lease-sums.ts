import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { DatabaseOptions } from '../open-storage.ts'

/** The sum of each node's leases in pico-USD, read past all stores with the database's own client. */
export async function leaseSums(database: DatabaseOptions): Promise<Map<string, bigint>> {
  const rows = database.engine === 'sqlite' ? rowsOfFile(database.path) : await rowsOfServer(database.url)
  return new Map(rows.map(({ node_id: nodeId, pico }) => [nodeId, BigInt(pico)]))
}

interface LeaseRow {
  node_id: string
  pico: string
}

/** Leases of keys and of budgets. The latter's rows stay when they are empty. */
const query = `SELECT node_id, CAST(SUM(amount_pico) AS TEXT) AS pico FROM (
  SELECT node_id, amount_pico FROM leases
  UNION ALL SELECT node_id, amount_pico FROM budget_leases WHERE amount_pico > 0) AS held GROUP BY node_id`

function rowsOfFile(path: string): LeaseRow[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database.prepare(query).all() as unknown as LeaseRow[]
  } finally {
    database.close()
  }
}

async function rowsOfServer(url: string): Promise<LeaseRow[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<LeaseRow>(query)).rows
  } finally {
    await client.end()
  }
}
