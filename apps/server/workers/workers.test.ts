import { setTimeout as delay } from 'node:timers/promises'
import type { LedgerVerification } from '@turnpike/billing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'
import { suiteDatabase, suiteVendor } from '../../../tests/nodes/suite.ts'
import { processesOf } from './testing/processes.ts'

const workers = 2
const secret = 'secret of some workers'
const patience = { timeout: 30_000, interval: 100 }

describe.each(databases())('workers on $engine', ({ create }) => {
  const vendor = suiteVendor()
  const database = suiteDatabase(create)
  let gateway: GatewayProcess
  let served = 0

  beforeAll(async () => {
    gateway = await GatewayProcess.create(
      {
        ...(database.url !== undefined && { database: { url: database.url } }),
        admin: { internal_secret: secret },
        providers: { vendor: { style: 'openai', base_url: vendor.baseUrl() } },
        models: { 'vendor/echo': { pricing: { prompt: '0.000001', completion: '0.000001' } } },
      },
      ['start', '--workers', String(workers)],
    )
  }, 60_000)
  afterAll(() => gateway.remove())

  async function ask(): Promise<number> {
    const messages = [{ role: 'user', content: 'one two [sandbox: pace=0]' }]
    const response = await gateway.chat({ model: 'vendor/echo', messages })
    await response.text()
    if (response.status === 200) served++
    // Slow enough to stay within the key's burst.
    await delay(100)
    return response.status
  }

  const get = async (path: string): Promise<Response> =>
    fetch(gateway.origin + path, { headers: { 'x-internal-secret': secret } })

  /** The values of a metric by worker, for those that respond. */
  async function metric(name: string): Promise<Map<string, number>> {
    const text = await (await get('/metrics')).text()
    const lines = text.matchAll(new RegExp(`^${name}\\{[^}]*worker="(\\d+)"[^}]*\\} (\\S+)$`, 'gm'))
    return new Map([...lines].map(([, worker, value]) => [worker!, Number(value)]))
  }

  const pids = (): number[] => processesOf(gateway).workers

  const books = async (): Promise<{ charged: number; ok: boolean }> => {
    const rows = (await (await get('/api/v1/admin/usage?days=1')).json()) as { total_requests: number }
    const verified = (await (await get('/api/v1/admin/ledger/verify')).json()) as LedgerVerification
    return { charged: rows.total_requests, ok: verified.ok }
  }

  it('serve at one address, and have separate series in the metrics', async () => {
    expect(gateway.stdout).toMatch(/Workers +2/)
    for (let count = 0; count < 20; count++) expect(await ask()).toBe(200)
    await vi.waitFor(async () => {
      expect([...(await metric('turnpike_open_requests')).keys()].toSorted()).toEqual(['1', '2'])
    }, patience)
  })

  it('are restarted when they die', async () => {
    const before = pids()
    process.kill(before[0]!, 'SIGKILL')
    await vi.waitFor(async () => {
      const now = pids()
      expect(now).toHaveLength(workers)
      expect(now).not.toContain(before[0])
    }, patience)
    await vi.waitFor(
      async () => expect((await metric('turnpike_open_requests')).size).toBe(workers),
      patience,
    )
    expect(await ask()).toBe(200)
    expect(gateway.stderr).toContain('a worker exited')
  }, 60_000)

  it('drain together', async () => {
    expect(await gateway.end('SIGTERM')).toBe(0)
    await gateway.start()
    expect(await books()).toEqual({ charged: served, ok: true })
  }, 60_000)

  it('that no longer exist leave nothing uncharged', async () => {
    for (let count = 0; count < 20; count++) expect(await ask()).toBe(200)
    const left = pids()
    for (const pid of left) process.kill(pid, 'SIGKILL')
    await gateway.end('SIGKILL')
    await gateway.start(['start'])
    expect(await books()).toEqual({ charged: served, ok: true })
    await gateway.end('SIGTERM')
    await gateway.start()
    expect(await ask()).toBe(200)
    expect(await books()).toEqual({ charged: served, ok: true })
  }, 60_000)
})
