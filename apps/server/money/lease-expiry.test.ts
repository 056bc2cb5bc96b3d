import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatUsd, parseUsd } from '@turnpike/billing'
import { startVendorServer, type VendorServer } from '@turnpike/simulators'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DatabaseProxy } from '../../../tests/nodes/database-proxy.ts'
import { databases } from '../../../tests/nodes/databases.ts'
import { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'
import { startTestNode, type TestKey, type TestNode } from '../../../tests/nodes/test-node.ts'

const postgres = databases().find((database) => database.engine === 'PostgreSQL')
const leaseSeconds = 5
const tokens = 100
const completionPrice = '0.00001'
const holdPico = BigInt(tokens) * parseUsd(completionPrice)

describe.skipIf(postgres === undefined)('leases of an unavailable node', () => {
  let vendor: VendorServer
  let node: TestNode
  let databaseUrl: string
  let drop: () => Promise<void>

  const configuration = () => ({
    providers: { vendor: { style: 'openai' as const, base_url: vendor.baseUrl() } },
    models: { 'vendor/echo': { pricing: { prompt: '0', completion: completionPrice } } },
    billing: { lease_seconds: leaseSeconds },
  })

  beforeEach(async () => {
    vendor = await startVendorServer()
    const database = await postgres!.create()
    databaseUrl = database.url!
    drop = database.drop
    node = await startTestNode({ databaseUrl, input: configuration() })
  })
  afterEach(async () => {
    await node.stop()
    await vendor.close()
    await drop()
  })

  async function statusAt(baseUrl: string, key: TestKey, answered = tokens): Promise<number> {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.raw}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'vendor/echo',
        max_completion_tokens: tokens,
        messages: [{ role: 'user', content: `go on [sandbox: tokens=${answered} pace=0]` }],
      }),
    })
    await response.text()
    return response.status
  }

  async function expectBooks(key: TestKey, leftPico: bigint): Promise<void> {
    await vi.waitFor(
      async () => {
        const account = await node.admin<{ balance_usd: string }>(`/accounts/${key.accountId}`)
        expect(account.balance_usd).toBe(formatUsd(leftPico))
      },
      { timeout: 30_000 },
    )
    expect(await node.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
  }

  it('of a stopped process return after lease_seconds; once it continues, it spends none', async () => {
    const gateway = await GatewayProcess.create({ ...configuration(), database: { url: databaseUrl } })
    try {
      const key = await node.createKey({ creditUsd: formatUsd(holdPico * 4n) })
      expect(await statusAt(`${gateway.origin}/v1`, key)).toBe(200)
      process.kill(gateway.pid, 'SIGSTOP')
      // Its leases of the other three requests' credit are out of reach until their term ends, so waiting
      // helps.
      const stoppedAtMs = performance.now()
      const statuses: number[] = []
      await vi.waitFor(
        async () => {
          statuses.push(await statusAt(node.baseUrl, key))
          expect(statuses.filter((status) => status === 200)).toHaveLength(3)
        },
        { timeout: 30_000, interval: 100 },
      )
      expect(new Set(statuses)).toEqual(new Set([200, 429]))
      expect(performance.now() - stoppedAtMs).toBeGreaterThan(leaseSeconds * 500)
      process.kill(gateway.pid, 'SIGCONT')
      // All is spent: the lease that it still remembers covers nothing.
      expect(await statusAt(`${gateway.origin}/v1`, key)).toBe(402)
      await expectBooks(key, 0n)
    } finally {
      process.kill(gateway.pid, 'SIGCONT')
      await gateway.remove()
    }
  }, 300_000)

  it('of a killed process return at once when it starts again on its data', async () => {
    const gateway = await GatewayProcess.create({ ...configuration(), database: { url: databaseUrl } })
    try {
      const key = await node.createKey({ creditUsd: formatUsd(holdPico * 4n) })
      expect(await statusAt(`${gateway.origin}/v1`, key, 1)).toBe(200)
      await gateway.end('SIGKILL')
      await gateway.start()
      const leftPico = holdPico * 4n - parseUsd(completionPrice)
      await expectBooks(key, leftPico)
      for (let count = 0; count < 3; count++) expect(await statusAt(node.baseUrl, key)).toBe(200)
      await expectBooks(key, leftPico - holdPico * 3n)
    } finally {
      await gateway.remove()
    }
  }, 300_000)

  it('of a node without its database are spent until their term ends, and charged once', async () => {
    const proxy = await DatabaseProxy.start(databaseUrl)
    const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-cut-off-'))
    const cutOff = await startTestNode({ databaseUrl: proxy.url, dataDir, input: configuration() })
    try {
      const key = await node.createKey({ creditUsd: '1' })
      expect(await statusAt(cutOff.baseUrl, key)).toBe(200)
      await proxy.down()
      expect(await statusAt(cutOff.baseUrl, key)).toBe(200)
      const isGone = (): boolean =>
        node.log.some(({ message }) => message === 'a node is gone: its leases were returned')
      let servedWhenGone = 0
      await vi.waitFor(
        async () => {
          const wasGone = isGone()
          const status = await statusAt(cutOff.baseUrl, key, 0)
          if (wasGone && status === 200) servedWhenGone++
          expect([wasGone, status]).toEqual([true, 503])
        },
        { timeout: 30_000, interval: 200 },
      )
      expect(servedWhenGone).toBe(0)
      await proxy.up()
      await vi.waitFor(async () => expect(await statusAt(cutOff.baseUrl, key)).toBe(200), { timeout: 30_000 })
      await cutOff.admin('/accounts')
      await vi.waitFor(
        async () => {
          const { rows } = await node.storage.usage.requests(
            { accountId: key.accountId, fromMs: 0, toMs: Date.now() + 1_000 },
            { limit: 100 },
          )
          const chargedPico = rows.reduce((sum, row) => sum + row.chargePico, 0n)
          expect(rows.filter((row) => row.outcome === 'completed').length).toBeGreaterThanOrEqual(3)
          await expectBooks(key, parseUsd('1') - chargedPico)
        },
        { timeout: 30_000 },
      )
    } finally {
      await cutOff.stop()
      await proxy.down()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }, 300_000)
})
