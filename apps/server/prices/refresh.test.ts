import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PriceReport } from '@turnpike/http'
import { startVendorServer, type VendorServer } from '@turnpike/simulators'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConfigurationInput } from '../configuration/schema/schema.ts'
import { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'
import { startTestNode, type TestKey, type TestNode } from '../../../tests/nodes/test-node.ts'

interface Row {
  id: string
  model: string
  cost_usd: string
  tokens_in: number
  tokens_out: number
}

const model = 'openai/gpt-4o-mini'

/** OpenAI's model and prices, served by the simulator. */
function configuration(vendor: VendorServer): ConfigurationInput {
  return {
    providers: { openai: { api_keys: ['k'], base_url: vendor.baseUrl() } },
    models: { [model]: { upstreams: [{ provider: 'openai', model: 'echo' }] } },
  }
}

function priceFile(prompt: number, completion: number): string {
  const tokens = { input_mtok: prompt, cache_read_mtok: prompt, output_mtok: completion }
  const prices = { ...tokens, web_searches_kcount: 10 }
  return JSON.stringify([{ id: 'openai', models: [{ id: 'm', match: { equals: 'gpt-4o-mini' }, prices }] }])
}

describe('a refresh on a running gateway', () => {
  let vendor: VendorServer
  let node: TestNode
  let key: TestKey
  beforeEach(async () => {
    vendor = await startVendorServer()
    node = await startTestNode({ input: configuration(vendor) })
    key = await node.createKey()
  })
  afterEach(async () => {
    await node.stop()
    await vendor.close()
  })

  const refresh = (): Promise<PriceReport> => node.admin('/prices/refresh', { method: 'POST' })

  async function chargeOf(
    requestId: string,
  ): Promise<{ cost: string; at: (prompt: number, completion: number) => string }> {
    const { data } = await node.admin<{ data: Row[] }>('/usage/requests?days=1')
    const row = data.find(({ id }) => id === requestId)!
    const pico = (perMillion: number, tokens: number): number => perMillion * 1_000_000 * tokens
    return {
      cost: row.cost_usd,
      at: (prompt, completion) =>
        (Math.round(pico(prompt, row.tokens_in) + pico(completion, row.tokens_out)) / 1e12)
          .toFixed(12)
          .replace(/0+$/, ''),
    }
  }

  it('keeps the prices of requests in flight, and applies new ones to later requests', async () => {
    const messages = [{ role: 'user', content: 'one two three [sandbox: pace=30/s tokens=20]' }]
    const open = await node.chat(key, { model, stream: true, messages })
    const reader = open.body!.getReader()
    await reader.read()
    writeFileSync(join(node.dataDir, 'prices.json'), priceFile(0.3, 1.2))
    const report = await refresh()
    expect(report.changes.map(({ price, changed_percent: percent }) => [price, percent])).toEqual([
      ['prompt', 100],
      ['completion', 100],
      ['input_cache_read', 300],
    ])
    expect(node.log.filter(({ message }) => message === 'a price changed by more than 20 %')).toHaveLength(3)
    while (!(await reader.read()).done);
    const later = await node.chat(key, {
      model,
      messages: [{ role: 'user', content: 'four [sandbox: pace=0]' }],
    })
    await later.text()

    const first = await chargeOf(open.headers.get('x-request-id')!)
    expect(first.cost).toBe(first.at(0.15, 0.6))
    const second = await chargeOf(later.headers.get('x-request-id')!)
    expect(second.cost).toBe(second.at(0.3, 1.2))
    expect(await node.admin('/ledger/verify')).toMatchObject({ ok: true })
    expect(await node.admin<PriceReport>('/prices')).toEqual(report)
  })

  it('makes a model without a price uncallable, never free', async () => {
    const ask = (): Promise<Response> =>
      node.chat(key, { model, messages: [{ role: 'user', content: 'x [sandbox: pace=0]' }] })
    expect((await ask()).status).toBe(200)
    writeFileSync(
      join(node.dataDir, 'prices.json'),
      JSON.stringify([{ id: 'openai', models: [{ id: 'm', match: { equals: 'gpt-4o-mini' }, prices: {} }] }]),
    )
    expect((await refresh()).unpriced).toEqual([model])
    const refused = await ask()
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('has no price') },
    })
  })

  it('responds 400 to an unusable file, and changes nothing', async () => {
    const before = await node.admin<PriceReport>('/prices')
    writeFileSync(join(node.dataDir, 'prices.json'), 'no JSON')
    await expect(refresh()).rejects.toThrow('/prices/refresh: 400')
    expect(await node.admin<PriceReport>('/prices')).toEqual(before)
  })
})

/** A process of its own, on a machine that may be busy. */
const slowly = { timeout: 20_000, interval: 100 }

it('reads the configuration and the price file again on SIGHUP', async () => {
  const vendor = await startVendorServer()
  const gateway = await GatewayProcess.create(configuration(vendor))
  try {
    const file = join(gateway.directory, 'turnpike.yaml')
    const before = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      before.replace('upstreams:', 'pricing: { prompt: "0.000001", completion: "0.000002" }\n    upstreams:'),
    )
    process.kill(gateway.pid, 'SIGHUP')
    await vi.waitFor(async () => {
      const { changes } = await gateway.admin<PriceReport>('/prices')
      expect(changes).toMatchObject([
        { model, price: 'prompt', after: '0.000001' },
        { price: 'completion' },
        { price: 'input_cache_read' },
        { price: 'web_search', after: '0' },
      ])
    }, slowly)
    writeFileSync(file, 'models: [')
    process.kill(gateway.pid, 'SIGHUP')
    await vi.waitFor(
      () => expect(gateway.stderr).toContain('the prices could not be refreshed: the old ones stay in use'),
      slowly,
    )
    expect((await gateway.chat({ model, messages: [{ role: 'user', content: 'x' }] })).status).toBe(200)
  } finally {
    await gateway.remove()
    await vendor.close()
  }
})
