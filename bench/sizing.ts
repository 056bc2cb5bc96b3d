import { findPostgres } from '@turnpike/storage/testing/find-postgres.ts'
import { findRedis, RedisServer } from '@turnpike/limits/testing/redis-server.ts'
import { startLoadVendor, type LoadVendor } from './client/journal.ts'
import { machineFacts } from './report/machine.ts'
import { alignColumns } from './report/table.ts'
import { DatabaseServer } from './sizing/database-server.ts'
import { databaseCosts } from './sizing/database.ts'
import { requestCosts, type RequestCosts } from './sizing/requests.ts'

/**
 * Measures what a request costs the gateway, PostgreSQL and Redis, and the limits of PostgreSQL: the figures
 * of docs/operate.md from which an installation is sized.
 * @returns false if the machine has no PostgreSQL
 */
export async function measureSizing(): Promise<boolean> {
  const programs = findPostgres()
  if (programs === undefined) {
    console.log('There is no PostgreSQL 15 or newer here.')
    return false
  }
  const { cpus, cpuModel, node } = machineFacts()
  console.log(`Node ${node} on ${cpus} × ${cpuModel}; PostgreSQL with its defaults, on the same disk.`)
  const vendor = await startLoadVendor()
  try {
    const program = findRedis()
    if (program === undefined) console.log('There is no Redis here: limits are counted by the gateway.')
    const alone = await withParts(programs, undefined, vendor)
    const shared = program === undefined ? undefined : await withParts(programs, program, vendor)
    console.log(`\n${requestTable(alone, shared)}\n`)
  } finally {
    await vendor.stop()
  }
  const rows = (await databaseCosts(programs)).map(({ what, perSecond, database }) => [
    what,
    perSecond.toFixed(0),
    database.toFixed(0),
  ])
  console.log(alignColumns([['PostgreSQL alone', 'a second here', 'CPU µs of one'], ...rows]))
  return true
}

async function withParts(
  programs: string,
  redisProgram: string | undefined,
  vendor: LoadVendor,
): Promise<RequestCosts> {
  const database = await DatabaseServer.start(programs)
  const redis = redisProgram === undefined ? undefined : await RedisServer.start(redisProgram)
  try {
    return await requestCosts({ vendor, database, redis })
  } finally {
    await redis?.remove()
    await database.remove()
  }
}

function requestTable(alone: RequestCosts, shared: RequestCosts | undefined): string {
  const all = shared === undefined ? [alone] : [alone, shared]
  const row = (title: string, of: (costs: RequestCosts) => number | undefined): string[] => [
    title,
    ...all.map((costs) => of(costs)?.toFixed(0) ?? ''),
  ]
  const titles = ['a request', 'PostgreSQL', ...(shared === undefined ? [] : ['PostgreSQL and Redis'])]
  return alignColumns([
    titles,
    row('gateway, CPU µs', ({ gateway }) => gateway),
    row('PostgreSQL, CPU µs', ({ database }) => database),
    row('Redis, CPU µs', ({ redis }) => redis),
    row('PostgreSQL, bytes of its log', ({ logBytes }) => logBytes),
    ...[...alone.tableBytes.keys()].map((table) =>
      row(`${table}, bytes with indexes`, ({ tableBytes }) => tableBytes.get(table)),
    ),
  ])
}
