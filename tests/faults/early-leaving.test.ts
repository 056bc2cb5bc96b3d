import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Gate } from '../chaos/gate.ts'
import { DatabaseProxy } from '../nodes/database-proxy.ts'
import { databases } from '../nodes/databases.ts'
import { suiteDatabase, suiteNode, suiteVendor } from '../nodes/suite.ts'
import type { Row } from './fault-node.ts'

const postgres = databases().find((database) => database.engine === 'PostgreSQL')
const patience = { timeout: 15_000, interval: 20 }

describe.skipIf(postgres === undefined)('a client that leaves while its request waits for a hold', () => {
  const vendor = suiteVendor()
  const database = suiteDatabase(() => postgres!.create())
  let gate: Gate
  const gated = { url: '' }
  beforeAll(async () => {
    const proxy = await DatabaseProxy.start(database.url!)
    const { port } = new URL(proxy.url)
    gate = await Gate.before(Number(port))
    gated.url = proxy.url.replace(`:${port}`, `:${gate.port}`)
    return async () => {
      await gate.down()
      await proxy.down()
    }
  })
  const node = suiteNode(
    () => ({
      providers: { vendor: { style: 'openai', base_url: vendor.baseUrl() } },
      models: { 'vendor/echo': { pricing: { prompt: '0.000001', completion: '0.000004' } } },
    }),
    { database: gated },
  )

  it.each([false, true])('counts as nobody’s failure and calls no vendor (stream: %s)', async (stream) => {
    const key = await node.createKey()
    // The key is known now, but the node has no lease of its credit yet.
    const headers = { authorization: `Bearer ${key.raw}` }
    await (await fetch(`${node.baseUrl}/models`, { headers })).text()
    const before = vendor.journal.entries.length
    gate.halt()
    const abort = new AbortController()
    const body = { model: 'vendor/echo', stream, messages: [{ role: 'user', content: 'hi' }] }
    const left = expect(node.chat(key, body, { signal: abort.signal })).rejects.toThrow()
    await new Promise((resolve) => setTimeout(resolve, 300))
    abort.abort()
    await left
    await new Promise((resolve) => setTimeout(resolve, 100))
    gate.resume()
    await vi.waitFor(async () => {
      const { data } = await node.admin<{ data: Row[] }>(`/accounts/${key.accountId}/usage/requests?days=1`)
      expect(data).toMatchObject([
        {
          outcome: 'failed',
          status: 499,
          error_type: 'client_closed_request',
          attempts: [],
          cost_usd: '0',
        },
      ])
    }, patience)
    expect(vendor.journal.entries).toHaveLength(before)
    expect(node.log.filter(({ level }) => level === 'error')).toEqual([])
    const { data } = await node.admin<{ data: unknown[] }>('/upstreams')
    expect(data).toEqual([])
  })
})
