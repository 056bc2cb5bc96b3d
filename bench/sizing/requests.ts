import { setTimeout as delay } from 'node:timers/promises'
import type { RedisServer } from '@turnpike/limits/testing/redis-server.ts'
import type { LoadVendor } from '../client/journal.ts'
import { runClosedLoop } from '../client/load.ts'
import { requireAnswers } from '../measures/requests.ts'
import { processUse } from '../process-table.ts'
import { median } from '../report/statistics.ts'
import { Turnpike, type RunningTurnpike } from '../subjects/turnpike.ts'
import type { DatabaseServer } from './database-server.ts'

const keys = 50
const connections = 32
/** Connections that share a key. */
const connectionsPerKey = 4
const warmUpMs = 3_000
const roundMs = 5_000
const rounds = 3
const longestFlushMs = 30_000
/** The tables that grow with each request. */
const tables = ['requests']

/** What one request costs each component, in CPU microseconds and bytes. */
export interface RequestCosts {
  gateway: number
  database: number
  redis: number | undefined
  logBytes: number
  /** By table, including indexes. */
  tableBytes: Map<string, number>
}

export interface Parts {
  vendor: LoadVendor
  database: DatabaseServer
  redis: RedisServer | undefined
}

/** Sends plain requests with two tags at full speed through one gateway; returns the median of rounds. */
export async function requestCosts({ vendor, database, redis }: Parts): Promise<RequestCosts> {
  const subject = new Turnpike({
    vendorPort: vendor.port,
    keys,
    creditUsd: '1000',
    databaseUrl: database.url,
    ...(redis !== undefined && { redisUrl: redis.url }),
  })
  const server = await subject.start()
  try {
    await load(server, warmUpMs)
    const seen: number[][] = []
    for (let round = 0; round < rounds; round++) {
      const before = await readUse(server, database, redis)
      const answers = await load(server, roundMs)
      const after = await readUse(server, database, redis)
      seen.push(after.map((value, index) => (value - before[index]!) / answers))
    }
    const [gateway, ofDatabase, ofRedis, logBytes] = seen[0]!.map((_, index) =>
      median(seen.map((values) => values[index]!)),
    )
    const tableBytes = new Map<string, number>()
    for (const table of tables) tableBytes.set(table, await database.bytesOfRow(table))
    return {
      gateway: gateway!,
      database: ofDatabase!,
      redis: redis === undefined ? undefined : ofRedis!,
      logBytes: logBytes!,
      tableBytes,
    }
  } finally {
    await server.stop()
    subject.remove()
  }
}

async function readUse(
  server: RunningTurnpike,
  database: DatabaseServer,
  redis: RedisServer | undefined,
): Promise<number[]> {
  return [
    server.use().cpuMicroseconds,
    database.cpuMicroseconds(),
    redis === undefined ? 0 : processUse(redis.pid).cpuMicroseconds,
    await database.logBytes(),
  ]
}

/** Resolves once the rows are in the database; returns the number of requests. */
async function load(server: RunningTurnpike, durationMs: number): Promise<number> {
  const results = await Promise.all(
    Array.from({ length: connections / connectionsPerKey }, (_, key) =>
      runClosedLoop(server.targetOf('plain', key), { connections: connectionsPerKey, durationMs }),
    ),
  )
  for (const result of results) requireAnswers(result)
  const giveUpAtMs = performance.now() + longestFlushMs
  for (;;) {
    const left = (await server.admin.metrics()).sum('turnpike_outbox_rows')
    if (left === 0) return results.reduce((sum, { answers }) => sum + answers, 0)
    if (performance.now() > giveUpAtMs) throw new Error(`${left} rows are not in the database yet`)
    await delay(100)
  }
}
