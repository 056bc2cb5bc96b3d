import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseUsd } from '@turnpike/billing'
import { startVendorServer, type VendorServer } from '@turnpike/simulators'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConfigurationInput } from '../configuration/schema/schema.ts'
import { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'

interface Row {
  id: string
  outcome: string
  cost_usd: string
  tokens_out: number
}

const prompt = (knobs: string): object[] => [
  { role: 'user', content: `one two three four [sandbox: ${knobs}]` },
]

describe('the process', () => {
  let vendor: VendorServer
  let gateway: GatewayProcess

  beforeEach(async () => {
    vendor = await startVendorServer()
    gateway = await GatewayProcess.create(configuration(vendor))
  })
  afterEach(async () => {
    await gateway.remove()
    await vendor.close()
  })

  async function rows(): Promise<Row[]> {
    return (await gateway.admin<{ data: Row[] }>('/usage/requests?days=1')).data
  }

  async function balancePico(): Promise<bigint> {
    const { data } = await gateway.admin<{ data: { balance_usd: string }[] }>('/accounts')
    return parseUsd(data[0]!.balance_usd)
  }

  it('charges each answer once and returns open holds when it is killed after its answers', async () => {
    const ids: string[] = []
    for (let count = 0; count < 20; count++) {
      const response = await gateway.chat({
        model: 'vendor/echo',
        stream: count % 2 === 0,
        messages: prompt('pace=0'),
      })
      await response.text()
      ids.push(response.headers.get('x-request-id')!)
    }
    const open = await gateway.chat({
      model: 'vendor/echo',
      stream: true,
      messages: prompt('pace=0 stall=3'),
    })
    await open.body!.getReader().read()
    await gateway.end('SIGKILL')
    await gateway.start()
    const charged = (await rows()).filter((row) => row.outcome === 'completed')
    expect(charged.map((row) => row.id).toSorted()).toEqual(ids.toSorted())
    expect(await gateway.admin('/ledger/verify')).toMatchObject({ ok: true })
    const response = await gateway.chat({ model: 'vendor/echo', messages: prompt('pace=0') })
    expect(response.status).toBe(200)
  })

  it('charges the delivered parts of an embedding and returns holds when it is killed', async () => {
    const ask = (...input: string[]): Promise<Response> =>
      gateway.post('/embeddings', { model: 'openai/text-embedding-3-large', input, dimensions: 2 })
    const many = Array.from({ length: 3_000 }, (_, index) => `text ${index}`)
    const credit = await balancePico()
    const ids: string[] = []
    for (const input of [many, ['one'], many]) {
      const response = await ask(...input)
      expect(((await response.json()) as { data: object[] }).data).toHaveLength(input.length)
      ids.push(response.headers.get('x-request-id')!)
    }
    const before = vendor.journal.total
    const open = ask('one [sandbox: delay=30s]', ...many).catch(() => 'cut')
    await vi.waitFor(() => expect(vendor.journal.total).toBeGreaterThan(before), { timeout: 10_000 })
    await gateway.end('SIGKILL')
    expect(await open).toBe('cut')
    await gateway.start()
    const charged = (await rows()).filter((row) => row.outcome === 'completed')
    expect(charged.map((row) => row.id).toSorted()).toEqual(ids.toSorted())
    const cost = charged.reduce((sum, row) => sum + parseUsd(row.cost_usd), 0n)
    expect(cost).toBeGreaterThan(0n)
    await vi.waitFor(async () => expect(credit - (await balancePico())).toBe(cost), { timeout: 10_000 })
    expect(await gateway.admin('/ledger/verify')).toMatchObject({ ok: true })
    expect((await ask('one')).status).toBe(200)
  })

  it('keeps its books when it is killed repeatedly under load', async () => {
    const delivered = new Set<string>()
    for (let round = 0; round < 4; round++) {
      const load = Array.from({ length: 8 }, async () => {
        for (let count = 0; count < 50; count++) {
          const response = await gateway.chat({ model: 'vendor/echo', messages: prompt('pace=0') })
          const answer = (await response.json()) as { usage?: object }
          if (answer.usage !== undefined) delivered.add(response.headers.get('x-request-id')!)
        }
      })
      const ended = Promise.allSettled(load)
      await vi.waitFor(() => expect(delivered.size).toBeGreaterThan(round * 30 + 10), { timeout: 50_000 })
      await gateway.end('SIGKILL')
      await ended
      await gateway.start()
    }
    const charged = new Set<string>()
    let cursor: string | null = ''
    while (cursor !== null) {
      const path = `/usage/requests?days=1&limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`
      const page: { data: Row[]; next_cursor: string | null } = await gateway.admin(path)
      for (const row of page.data) charged.add(row.id)
      cursor = page.next_cursor
    }
    expect([...delivered].filter((id) => !charged.has(id))).toEqual([])
    expect(await gateway.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s lets streams end and accepts no new requests',
    async (signal) => {
      const response = await gateway.chat({
        model: 'vendor/echo',
        stream: true,
        messages: prompt('pace=20/s tokens=30'),
      })
      const reader = response.body!.getReader()
      let text = Buffer.from((await reader.read()).value ?? []).toString()
      const ended = gateway.end(signal)
      await vi.waitFor(async () => {
        await expect(fetch(`${gateway.origin}/v1/models`)).rejects.toThrow()
      }, 20_000)
      for (let part = await reader.read(); !part.done; part = await reader.read())
        text += Buffer.from(part.value).toString()
      expect(text).toMatch(/data: \[DONE\]\n\n$/)
      expect(await ended).toBe(0)
      await gateway.start()
      expect(await rows()).toMatchObject([{ outcome: 'completed', tokens_out: 30 }])
    },
  )
})

describe('an unexpected error', () => {
  it('ends the process with a log line that contains no credential', async () => {
    const secret = 'a secret of the test'
    const message = `not with ${secret} or sk-0123456789abcdef`
    const failing = `process.once('SIGUSR2', () => { throw new Error('${message}') })`
    const gateway = await GatewayProcess.create({ admin: { internal_secret: secret } }, [], {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(failing)}`,
    })
    try {
      expect(await gateway.end('SIGUSR2')).toBe(1)
      const line = JSON.parse(gateway.stderr.trim().split('\n').at(-1)!) as object
      expect(line).toMatchObject({
        level: 60,
        msg: 'unexpected error',
        error: expect.stringContaining('Error: not with [redacted] or [redacted]'),
      })
      expect(gateway.stderr).not.toContain(secret)
    } finally {
      await gateway.remove()
    }
  })
})

describe('a start that fails', { timeout: 60_000 }, () => {
  let gateway: GatewayProcess

  beforeEach(async () => {
    gateway = await GatewayProcess.create({})
  })
  afterEach(() => gateway.remove())

  it('exits if another gateway uses the data', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../main.js')], {
      cwd: gateway.directory,
      env: {},
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect([status, stderr]).toEqual([1, expect.stringContaining('another gateway is using')])
  })

  it("exits if the node's identifier is lost, because two nodes could have the same", async () => {
    await gateway.end('SIGTERM')
    writeFileSync(join(gateway.directory, '.turnpike/node_id'), '')
    await expect(gateway.start()).rejects.toThrow(/ended with 1: .*node_id is empty/s)
  })
})

describe('an unsafe configuration', () => {
  it('is refused with a message that names the setting to change', async () => {
    const starting = GatewayProcess.create({ server: { host: '0.0.0.0' } })
    await expect(starting).rejects.toThrow(/admin\.internal_secret/)
  })
})

function configuration(vendor: VendorServer): ConfigurationInput {
  return {
    providers: {
      vendor: { style: 'openai', base_url: vendor.baseUrl() },
      openai: { base_url: vendor.baseUrl(), api_keys: ['sk-vendor'] },
    },
    models: { 'vendor/echo': { pricing: { prompt: '0.0000025', completion: '0.00001' } } },
  }
}
