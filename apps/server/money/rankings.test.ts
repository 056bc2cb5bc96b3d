import { beforeEach, describe, expect, it, vi } from 'vitest'
import { scripted } from '../../../tests/conformance/sdk-node.ts'
import type { TestKey } from '../../../tests/nodes/test-node.ts'
import { suiteNode, suiteVendor } from '../../../tests/nodes/suite.ts'
import { expectTrueBooks } from './testing/books.ts'

/* Services that are billed by search units, and what callers pay for them. */

let key: TestKey

const vendor = suiteVendor()
const node = suiteNode(() => ({
  providers: { cohere: { base_url: vendor.baseUrl().replace(/\/v1$/, '/v2'), api_keys: ['sk-c'] } },
  limits: { tiers: { free: { input_tokens_per_minute: 20_000 } } },
}))

beforeEach(async () => {
  key = await node.createKey()
})

const model = 'cohere/rerank-v3.5'
const documents = (count: number, text: string): string[] => Array.from({ length: count }, () => text)

function ranked(count: number, units: number): ReturnType<typeof scripted> {
  const results = documents(count, '').map((_, index) => ({ index, relevance_score: 0.5 }))
  return scripted(200, { id: 'x', results, meta: { billed_units: { search_units: units } } })
}

interface Row {
  id: string
  outcome: string
  hold_usd: string
  charge_usd: string
  usage: { search_units: number | null; estimated: boolean }
}

async function latestRow(): Promise<Row> {
  const rows = `/accounts/${key.accountId}/usage/requests`
  const { data } = await node.admin<{ data: Row[] }>(`${rows}?limit=1`)
  return node.admin<Row>(`${rows}/${data[0]!.id}`)
}

describe('a client that leaves before the answer', () => {
  it('pays for the units of its request', async () => {
    vendor.next({
      script: { status: 200, headers: {}, steps: [{ type: 'hang' }], bill: undefined },
    })
    const leaving = new AbortController()
    const before = vendor.journal.entries.length
    const body = { model, query: 'q', documents: documents(150, 'x') }
    const pending = node.post(key, '/rerank', body, { signal: leaving.signal })
    await vi.waitFor(() => expect(vendor.journal.entries.length).toBeGreaterThan(before), { timeout: 15_000 })
    leaving.abort()
    await expect(pending).rejects.toThrow()
    await vi.waitFor(async () => expect((await latestRow()).outcome).toBe('client_closed'), {
      timeout: 15_000,
    })
    expect(await latestRow()).toMatchObject({
      charge_usd: '0.004',
      hold_usd: '0.004',
      usage: { search_units: 2, estimated: true },
    })
    await expectTrueBooks([node])
  })
})

it('a lenient request does not lose the field that bounds its bill', async () => {
  vendor.next({ script: scripted(400, { message: "parameter 'max_tokens_per_doc' is not supported" }) })
  const before = vendor.journal.entries.length
  const body = { model, query: 'q', documents: documents(5, 'x'), max_tokens_per_doc: 10 }
  const { status } = await node.post(key, '/rerank', body, { headers: { 'x-turnpike-unsupported': 'drop' } })
  expect(status).toBe(400)
  expect(vendor.journal.entries).toHaveLength(before + 1)
  expect(await latestRow()).toMatchObject({ outcome: 'failed', charge_usd: '0' })
})

it('token limits count documents for which the vendor reports no tokens', async () => {
  const body = { model, query: 'q', documents: documents(20, 'x'.repeat(1_500)) }
  vendor.next({ script: ranked(20, 1) })
  const first = await node.post(key, '/rerank', body)
  expect(first.status).toBe(200)
  expect(Number(first.headers.get('x-ratelimit-remaining-tokens'))).toBeLessThan(10_000)
  vendor.next({ script: ranked(20, 1) })
  expect((await node.post(key, '/rerank', body)).status).toBe(429)
})

it('a 402 for a ranking does not mention output or tools', async () => {
  const poor = await node.createKey({ creditUsd: '0.0019' })
  const response = await node.post(poor, '/rerank', { model, query: 'q', documents: ['a'] })
  const { error } = (await response.json()) as { error: { message: string } }
  expect(response.status).toBe(402)
  expect(error.message).toMatch(/Top up the account \(POST \/api\/v1\/topup\)\.$/u)
})
