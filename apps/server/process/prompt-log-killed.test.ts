import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { PromptLog, type ListedLog } from '@turnpike/gateway'
import { startVendorServer, type VendorServer } from '@turnpike/simulators'
import { openStorage } from '@turnpike/storage'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'

const quiet = { warn: () => undefined, error: () => undefined }
const rounds = 4
/** The limit of an account's sealed entries: so small that the oldest are dropped while new ones come. */
const mostAccountBytes = 1024 ** 2

let vendor: VendorServer
let gateway: GatewayProcess

beforeEach(async () => {
  vendor = await startVendorServer()
  gateway = await GatewayProcess.create({
    providers: { vendor: { style: 'openai', base_url: vendor.baseUrl() } },
    models: { 'vendor/echo': { pricing: { prompt: '0.0000025', completion: '0.00001' } } },
    prompt_log: { max_account_bytes: mostAccountBytes },
  })
})
afterEach(async () => {
  await gateway.remove()
  await vendor.close()
})

const databaseFile = (): string => join(gateway.directory, '.turnpike/turnpike.db')

/** Reads the database directly, while no gateway runs. */
function inDatabase<Result>(work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(databaseFile())
  try {
    return work(database)
  } finally {
    database.close()
  }
}

it(
  'keeps only whole entries, and counts them right, after a kill while prompts are written',
  { timeout: 120_000 },
  async () => {
    await gateway.end('SIGKILL')
    inDatabase((database) => database.exec('UPDATE accounts SET log_prompts = 1'))
    await gateway.start()
    for (let round = 0; round < rounds; round++) {
      const before = entryCount()
      const load = Array.from({ length: 8 }, async (_, client) => {
        for (let count = 0; count < 200; count++) {
          const noise = randomBytes(8_000).toString('base64')
          const content = `[sandbox: pace=0] ${round} ${client} ${count} ${noise}`
          const messages = [{ role: 'user', content }]
          const response = await gateway.chat({ model: 'vendor/echo', messages })
          await response.text()
        }
      })
      const ended = Promise.allSettled(load)
      // Some entries are written, and more are pending.
      await vi.waitFor(() => expect(entryCount()).toBeGreaterThan(before), { timeout: 60_000 })
      await gateway.end('SIGKILL')
      await ended
      if (round < rounds - 1) await gateway.start()
    }
    expectTotals()
    const entries = await readEntries()
    expect(entries.length).toBeGreaterThan(0)
    expect(entries.filter(({ entry }) => typeof entry === 'string')).toEqual([])
    await gateway.start()
    // Nothing that was pending is written later; new entries are.
    await (await gateway.chat({ model: 'vendor/echo', messages: [{ role: 'user', content: 'last' }] })).text()
    expect(await gateway.admin('/ledger/verify')).toMatchObject({ ok: true })
    await gateway.end('SIGTERM')
    expectTotals()
    expect(JSON.stringify((await readEntries()).at(-1)?.entry)).toContain('last')
  },
)

function entryCount(): number {
  const [found] = inDatabase((database) =>
    database.prepare('SELECT count(*) AS count FROM prompt_logs').all(),
  )
  return Number(found!['count'])
}

/** Expects that the stored total of the account equals the sum of its entries, and is within its limit. */
function expectTotals(): void {
  const [found] = inDatabase((database) =>
    database
      .prepare(
        `SELECT (SELECT sum(bytes) FROM prompt_log_totals) AS recorded,
          (SELECT sum(sealed_bytes) FROM prompt_logs) AS there,
          (SELECT sum(length(sealed)) FROM prompt_logs) AS sealed`,
      )
      .all(),
  )
  expect(found).toMatchObject({ recorded: found!['there'], sealed: found!['there'] })
  expect(Number(found!['there'])).toBeLessThanOrEqual(mostAccountBytes)
}

async function readEntries(): Promise<ListedLog[]> {
  const storage = await openStorage({ engine: 'sqlite', path: databaseFile() })
  const key = readFileSync(join(gateway.directory, '.turnpike/prompt-log-key'), 'utf8').trim()
  const reader = new PromptLog(
    storage.promptLogs,
    {
      encryptionKeys: [Buffer.from(key, 'base64')],
      days: { usual: 7, most: 30 },
      maxBytes: 256 * 1024,
      maxAccountBytes: mostAccountBytes,
      patterns: [],
    },
    quiet,
  )
  try {
    const all: ListedLog[] = []
    const accounts = inDatabase((database) =>
      database.prepare('SELECT DISTINCT account_id AS id FROM prompt_logs').all(),
    )
    for (const { id } of accounts)
      for (let page: ListedLog[]; (page = await reader.page(String(id), all.at(-1))).length > 0;)
        all.push(...page)
    return all
  } finally {
    await reader.close()
    await storage.close()
  }
}
