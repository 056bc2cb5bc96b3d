import { randomBytes } from 'node:crypto'
import { parseUsd } from '@turnpike/billing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { scripted } from '../../../tests/conformance/sdk-node.ts'
import type { ConfigurationInput } from '../configuration/schema/schema.ts'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode, suiteVendor } from '../../../tests/nodes/suite.ts'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { expectTrueBooks } from './testing/books.ts'
import { addOwnKey, pricing, type AddedKey } from './testing/own-key-nodes.ts'

/*
 * Attacks of an account with a key of its own and no credit: getting answers with the operator's keys, or
 * with its own key without the fee.
 */

const ring = [randomBytes(32)]
const sharedKey = 'shared-key-0123456789'
const hello = (knobs: string) => [
  { role: 'user', content: `one two three four five six seven eight [sandbox: ${knobs}]` },
]

interface Row {
  outcome: string
  is_byok: boolean
  cost_usd: string
  own_cost_usd: string | null
  attempts: { provider: string; is_byok?: boolean }[]
}

describe.each(databases())('own keys and credit on $engine', ({ create }) => {
  const vendor = suiteVendor()
  const input = (fee_percent: string): ConfigurationInput => {
    const both = ['one/m', 'two/m']
    const base_url = vendor.baseUrl()
    return {
      byok: {
        encryption_keys: ring.map((key) => key.toString('base64')),
        fee_percent,
        providers: ['one', 'counting'],
      },
      providers: {
        one: { style: 'openai', base_url, api_keys: [sharedKey] },
        two: { style: 'openai', base_url, api_keys: [sharedKey] },
        counting: { style: 'anthropic', base_url: vendor.baseUrl({}, ''), api_keys: [sharedKey] },
      },
      models: {
        'one/m': { pricing, fallbacks: ['two/m'] },
        'two/m': { pricing: { prompt: '0.00001', completion: '0.00002' } },
        'one/vectors': { pricing: { prompt: '0.000001', completion: '0' }, operations: ['embed'] },
        'one/text': { pricing, operations: ['generate'] },
        'counting/m': { pricing },
      },
      routing: { auto: { tiers: { SIMPLE: both, MEDIUM: both, COMPLEX: both, REASONING: both } } },
    }
  }

  const nodeOf = (fee: string, more: ConfigurationInput = {}): TestNode =>
    suiteNode(() => ({ ...input(fee), ...more }), { database: suiteDatabase(create) })

  const withFee = nodeOf('5')
  const withoutFee = nodeOf('0')
  const withBreaker = nodeOf('0', { routing: { breaker: { enabled: true } } })
  beforeEach(() => {
    seen = vendor.journal.total
  })

  let seen = 0
  /** The keys with which the vendor was called in this test. */
  const keysSeen = (): string[] =>
    vendor.journal.entries
      .slice(vendor.journal.entries.length - (vendor.journal.total - seen))
      .map(({ request: { headers } }) =>
        String(headers['authorization'] ?? headers['x-api-key']).replace('Bearer ', ''),
      )

  async function account(
    node: TestNode,
    { creditUsd = '0', ...more }: { creditUsd?: string; allowsShared?: boolean; provider?: string } = {},
  ): Promise<{ key: TestKey; own: AddedKey }> {
    const key = await node.createKey({ creditUsd })
    return { key, own: await addOwnKey(node, key, { ring, ...more }) }
  }

  async function rowOf(node: TestNode, { accountId }: TestKey): Promise<Row> {
    const of = `/accounts/${accountId}/usage/requests`
    return vi.waitFor(
      async () => {
        const { data } = await node.admin<{ data: { id: string }[] }>(of)
        expect(data).toHaveLength(1)
        return node.admin<Row>(`${of}/${data[0]!.id}`)
      },
      { timeout: 30_000 },
    )
  }

  describe('a key that forbids the operator’s', () => {
    it.each([
      ['the model’s configured fallback', { model: 'one/m' }],
      ['a fallback that the caller names', { model: 'one/m', models: ['two/m'] }],
      ['auto-routing, if the caller names it', { model: 'one/m', models: ['turnpike/auto'] }],
      ['auto-routing', { model: 'turnpike/auto' }],
      ['auto-routing, with a model named behind', { model: 'turnpike/auto', models: ['two/m'] }],
    ])('is used alone, without a fallback: %s', async (_what, request) => {
      const { key, own } = await account(withFee, { creditUsd: '1', allowsShared: false })
      const response = await withFee.chat(key, {
        ...request,
        max_completion_tokens: 20,
        messages: hello('error=500'),
      })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(keysSeen()).toEqual([own.secret])
      expect(await rowOf(withFee, key)).toMatchObject({ cost_usd: '0', attempts: [{ is_byok: true }] })
    })

    it('is one of at most eight that a request uses, however many there are', async () => {
      const { key } = await account(withFee, { creditUsd: '1', allowsShared: false })
      for (let count = 1; count < 12; count++) await addOwnKey(withFee, key, { ring, allowsShared: false })
      const response = await withFee.chat(key, { model: 'one/m', messages: hello('error=404') })
      expect(response.status).toBe(404)
      expect(new Set(keysSeen()).size).toBe(8)
      expect((await rowOf(withFee, key)).attempts).toHaveLength(12)
    })

    it('does not affect an earlier model that the caller names', async () => {
      const { key } = await account(withFee, { creditUsd: '1', allowsShared: false })
      const request = { model: 'two/m', models: ['one/m'], messages: hello('pace=0') }
      expect((await withFee.chat(key, request)).status).toBe(200)
      expect(keysSeen()).toEqual([sharedKey])
    })

    it('and cannot be opened spends no credit at a fallback', async () => {
      const key = await withFee.createKey({ creditUsd: '1' })
      await addOwnKey(withFee, key, { ring: [randomBytes(32)] })
      const request = { model: 'one/m', models: ['two/m'], messages: hello('pace=0') }
      const response = await withFee.chat(key, request)
      expect([response.status, await response.text()]).toEqual([
        503,
        expect.stringContaining('cannot decrypt'),
      ])
      expect(keysSeen()).toEqual([])
    })
  })

  describe('an account without credit', () => {
    const messages = hello('error=500')
    const rejected = hello('error=401')
    it.each<[string, string, object]>([
      ['chat', '/chat/completions', { model: 'one/m', messages }],
      ['chat with a refused key', '/chat/completions', { model: 'one/m', messages: rejected }],
      [
        'chat, with another model named',
        '/chat/completions',
        { model: 'one/m', models: ['two/m'], messages },
      ],
      ['a stream', '/chat/completions', { model: 'one/m', messages, stream: true }],
      ['auto-routing', '/chat/completions', { model: 'turnpike/auto', messages }],
      ['Messages', '/messages', { model: 'one/m', messages, max_tokens: 10 }],
      ['Responses', '/responses', { model: 'one/m', input: 'Hi. [sandbox: error=500]' }],
      ['vectors', '/embeddings', { model: 'one/vectors', input: ['Hi. [sandbox: error=500]'] }],
      [
        'vectors in parts',
        '/embeddings',
        { model: 'one/vectors', input: Array.from({ length: 2_040 }, () => 'Hi. [sandbox: error=500]') },
      ],
    ])('gets nothing with the operator’s key if its own fails: %s', async (_what, path, body) => {
      const { key, own } = await account(withoutFee)
      const response = await withoutFee.post(key, path, body)
      expect(response.status).toBeGreaterThanOrEqual(400)
      const keys = keysSeen()
      expect(new Set(keys)).toEqual(new Set([own.secret]))
      expect(await rowOf(withoutFee, key)).toMatchObject({ cost_usd: '0' })
    })

    it('gets answers with its own key if there is no fee, and none if there is one', async () => {
      const free = await account(withoutFee)
      const request = { model: 'one/m', messages: hello('pace=0') }
      expect((await withoutFee.chat(free.key, request)).status).toBe(200)
      const { key } = await account(withFee)
      expect((await withFee.chat(key, request)).status).toBe(402)
      expect(keysSeen()).toEqual([free.own.secret])
    })
  })

  describe('the fee', () => {
    it.each([
      ['an answer', 'pace=0', true, 'completed'],
      ['an answer without usage', 'pace=0 no_usage', true, 'completed'],
      ['an answer with too little usage', 'pace=0 tokens=40 no_usage', false, 'completed'],
      ['an answer that its vendor cut off', 'pace=0 cut=4', true, 'upstream_cut'],
      ['an error within an answer', 'pace=0 error_after=4', true, 'upstream_cut'],
    ] as const)('is paid for what came of %s', async (_what, knobs, stream, outcome) => {
      const { key } = await account(withFee, { creditUsd: '1', allowsShared: false })
      const body = { model: 'one/m', stream, max_completion_tokens: 100, messages: hello(knobs) }
      await (await withFee.chat(key, body)).text()
      expectFee(await rowOf(withFee, key), outcome)
      await expectTrueBooks([withFee])
    })

    it('is charged for what a client received before it left', async () => {
      const { key } = await account(withFee, { creditUsd: '1', allowsShared: false })
      const abort = new AbortController()
      const body = { model: 'one/m', stream: true, messages: hello('pace=0 stall=4') }
      const response = await withFee.chat(key, body, { signal: abort.signal })
      await response.body!.getReader().read()
      abort.abort()
      expectFee(await rowOf(withFee, key), 'client_closed')
      await expectTrueBooks([withFee])
    })

    /** 5 % of the vendor's bill at our list prices, which must be more than nothing. */
    function expectFee(row: Row, outcome: string): void {
      expect(row).toMatchObject({ outcome, is_byok: true })
      const list = parseUsd(row.own_cost_usd!)
      expect(list).toBeGreaterThan(0n)
      expect(parseUsd(row.cost_usd)).toBe((list * 5n) / 100n)
    }
  })

  describe('a spend limit that is used up', () => {
    const request = { model: 'one/m', max_completion_tokens: 20, messages: hello('pace=0') }
    it.each<[string, (node: TestNode, key: TestKey) => Promise<unknown>]>([
      [
        'of the key',
        (node, { accountId, id }) =>
          node.admin(`/accounts/${accountId}/keys/${id}`, {
            method: 'PATCH',
            body: { spend_limit_usd: '0.000000001', spend_limit_period: 'day' },
          }),
      ],
      [
        'of a budget',
        (node, { accountId }) =>
          node.admin(`/accounts/${accountId}/budgets`, {
            method: 'POST',
            body: { name: 'All', scope: 'organization', period: 'day', limit_usd: '0.000000001' },
          }),
      ],
    ])('%s refuses requests that cost a fee, and no others', async (_what, limit) => {
      for (const [node, expected] of [
        [withFee, 402],
        [withoutFee, 200],
      ] as const) {
        const { key, own } = await account(node, { creditUsd: '1' })
        await limit(node, key)
        seen = vendor.journal.total
        expect((await node.chat(key, request)).status).toBe(expected)
        expect(keysSeen()).toEqual(expected === 200 ? [own.secret] : [])
        await expectTrueBooks([node])
      }
    })
  })

  it('does not retry token counts with a key that the vendor rejects', async () => {
    const { key, own } = await account(withBreaker, { provider: 'counting', allowsShared: false })
    const body = { model: 'counting/m', messages: [{ role: 'user', content: 'Hi.' }] }
    const refusal = { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }
    for (let count = 0; count < 12; count++) {
      vendor.next({ script: scripted(401, refusal) })
      const response = await withBreaker.post(key, '/messages/count_tokens', body)
      expect([response.status, await response.json()]).toEqual([200, { input_tokens: expect.any(Number) }])
    }
    expect(keysSeen()).toEqual([own.secret])
    await vi.waitFor(
      async () => {
        const [listed] = await withBreaker.storage.vendorKeys.list(key.accountId)
        expect(listed).toMatchObject({ refusedAtMs: expect.any(Number), lastUsedAtMs: expect.any(Number) })
      },
      { timeout: 20_000, interval: 500 },
    )
  })
})
