import { describe, expect, it } from 'vitest'
import { scripted } from '../sdk-node.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../nodes/suite.ts'
import type { TestKey } from '../../nodes/test-node.ts'

/*
 * What each vendor receives, and how its response is read. The bodies are from the vendors' documentation
 * (docs.cohere.com/reference/rerank, jina.ai/reranker, docs.voyageai.com/reference/reranker-api).
 */

const vendor = suiteVendor()
const node = suiteNode(() => {
  const at = (version: string): string => vendor.baseUrl().replace(/\/v1$/, version)
  const priced = { pricing: { prompt: '0.00000005', completion: '0' }, operations: ['rerank' as const] }
  return {
    providers: {
      cohere: { base_url: at('/v2'), api_keys: ['sk-c'] },
      voyage: { base_url: at('/v1'), api_keys: ['sk-v'] },
      jina: { base_url: at('/v1'), api_keys: ['sk-j'] },
      vllm: { base_url: at('/v1') },
      together: { base_url: at('/v1'), api_keys: ['sk-t'] },
      sandbox: {},
    },
    models: {
      'jina/jina-reranker-v3': { ...priced, fallbacks: ['cohere/rerank-v3.5'] },
      'together/LlamaRank': priced,
      'vllm/bge': { free: true, operations: ['rerank'] },
      'cohere/by-tokens': { ...priced, upstreams: [{ provider: 'cohere', model: 'rerank-v3.5' }] },
      'cohere/free': {
        free: true,
        operations: ['rerank'],
        upstreams: [{ provider: 'cohere', model: 'rerank-v3.5', formats: ['cohere-rerank'] }],
      },
    },
  }
})
const key = suiteKey(node)

interface Answer {
  status: number
  headers: Headers
  body: {
    id?: string
    model?: string
    results?: { index: number; relevance_score: number; document?: object }[]
    meta?: { billed_units: object }
    usage?: Record<string, unknown>
    error?: { param: string | null; type: string; message: string }
  }
}

async function rerank(body: object, from: TestKey = key): Promise<Answer> {
  const response = await node.post(from, '/rerank', body)
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  }
}

async function latestRow(): Promise<object> {
  const rows = `/accounts/${key.accountId}/usage/requests`
  const { data } = await node.admin<{ data: { id: string }[] }>(`${rows}?limit=1`)
  return node.admin<object>(`${rows}/${data[0]!.id}`)
}

const asked = { query: 'capital of France', documents: ['Berlin', 'Paris'] }
const results = [
  { index: 1, relevance_score: 0.98 },
  { index: 0, relevance_score: 0.02 },
]
const units = (search_units: unknown): object => ({
  id: 'x',
  results,
  meta: { api_version: { version: '2' }, billed_units: { search_units } },
})

async function answered(body: object, answer: unknown): Promise<Answer & { path: string; sent: object }> {
  vendor.next({ script: scripted(200, answer) })
  const given = await rerank(body)
  const { request } = vendor.journal.entries.at(-1)!
  return { ...given, path: request.path, sent: JSON.parse(request.body.toString()) as object }
}

describe('Cohere', () => {
  const model = 'cohere/rerank-v3.5'

  it('is charged by search units, and its answer passes through', async () => {
    const { status, path, sent, body, headers } = await answered(
      { model, ...asked, top_n: 2, return_documents: true, metadata: { tags: ['a:b'], customer: 'x' } },
      { ...units(1), of_the_vendor: 7, organization: 'of the operator', balance: 4 },
    )
    expect(status).toBe(200)
    expect(path).toMatch(/\/v2\/rerank$/)
    expect(sent).toEqual({ model: 'rerank-v3.5', ...asked, top_n: 2 })
    expect(body).toEqual({
      id: 'x',
      model,
      of_the_vendor: 7,
      results: [
        { ...results[0], document: { text: 'Paris' } },
        { ...results[1], document: { text: 'Berlin' } },
      ],
      meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
      usage: { search_units: 1, cost_usd: '0.002', cost: 0.002 },
    })
    expect(headers.get('x-turnpike-cost')).toBe('0.002')
    expect(await latestRow()).toMatchObject({
      endpoint: 'rerank',
      operation: 'rerank',
      charge_usd: '0.002',
      usage: { search_units: 1, input_tokens: null, estimated: false },
    })
  })

  it('gets objects as texts', async () => {
    const documents = [{ text: 'Berlin' }, { title: 'Paris', text: 'a city', id: 7 }]
    const { sent } = await answered({ model, query: 'q', documents, rank_fields: ['title'] }, units(1))
    expect(sent).toEqual({ model: 'rerank-v3.5', query: 'q', documents: ['{}', '{"title":"Paris"}'] })
    const plain = await answered({ model, query: 'q', documents, return_documents: true }, units(1))
    expect(plain.sent).toMatchObject({ documents: ['Berlin', JSON.stringify(documents[1])] })
    expect(plain.body.results![0]!.document).toEqual(documents[1])
  })

  it.each([
    ['none', {}],
    ['nothing', units(0)],
    ['a negative number', units(-1)],
    ['half a unit', units(0.5)],
    ['an impossible number', units(1e9)],
  ])('that reports %s is charged by what was sent', async (_, answer) => {
    const { status, body } = await answered({ model, ...asked }, { results, ...answer })
    expect(status).toBe(200)
    expect(body.usage).toMatchObject({ search_units: 1, cost_usd: '0.002' })
  })

  it('may bill as many units as there are chunks of 500 tokens', async () => {
    const documents = Array.from({ length: 150 }, () => 'x '.repeat(1_000))
    const { body } = await answered({ model, query: 'q', documents }, units(6))
    expect(body.usage).toMatchObject({ search_units: 6, cost_usd: '0.012' })
    // At most five chunks per document.
    expect(await latestRow()).toMatchObject({ hold_usd: '0.016', charge_usd: '0.012' })
  })

  it('is not called if its unit has no price', async () => {
    const before = vendor.journal.entries.length
    const { status, body } = await rerank({ model: 'cohere/by-tokens', ...asked })
    expect([status, body.error!.param]).toEqual([503, 'model'])
    expect(body.error!.message).toContain('no price')
    expect(vendor.journal.entries).toHaveLength(before)
  })

  it('is called if the operator has made it free', async () => {
    const { body } = await answered({ model: 'cohere/free', ...asked }, units(3))
    expect(body.usage).toMatchObject({ cost_usd: '0' })
  })
})

describe('Voyage', () => {
  it('uses other names for the same fields', async () => {
    const { path, sent, body } = await answered(
      { model: 'voyage/rerank-2.5', ...asked, top_n: 5 },
      { object: 'list', data: results, model: 'rerank-2.5', usage: { total_tokens: 26 } },
    )
    expect(path).toMatch(/\/v1\/rerank$/)
    expect(sent).toEqual({ model: 'rerank-2.5', ...asked, top_k: 2, return_documents: false })
    expect(body).toMatchObject({ model: 'voyage/rerank-2.5', results })
    expect(body.usage).toEqual({ prompt_tokens: 26, total_tokens: 26, cost_usd: '0.0000013', cost: 1.3e-6 })
    expect(body.meta!.billed_units).toEqual({ input_tokens: 26 })
  })

  it('is not sent fields that it does not have', async () => {
    const { status, body } = await rerank({ model: 'voyage/rerank-2.5', ...asked, max_tokens_per_doc: 9 })
    expect([status, body.error!.param]).toEqual([400, 'max_tokens_per_doc'])
  })
})

it.each([1e12, 0, -1, 1.5])('impossible token counts are not charged: %d', async (total_tokens) => {
  const { status, body } = await answered(
    { model: 'voyage/rerank-2.5', ...asked },
    { data: results, usage: { total_tokens } },
  )
  expect(status).toBe(200)
  expect(body.usage!['total_tokens']).toBeGreaterThan(4)
  expect(body.usage!['total_tokens']).toBeLessThan(20)
  expect(await latestRow()).toMatchObject({ usage: { estimated: true, disbelieved: 'implausible' } })
})

it('a caller without credit for all units is refused', async () => {
  const poor = await node.createKey({ creditUsd: '0.0019' })
  const before = vendor.journal.entries.length
  const { status } = await rerank({ model: 'cohere/rerank-v3.5', ...asked }, poor)
  expect(status).toBe(402)
  expect(vendor.journal.entries).toHaveLength(before)
})

describe.each(['jina/jina-reranker-v3', 'together/LlamaRank', 'vllm/bge'])('%s', (model) => {
  it("is called in Jina's format", async () => {
    const { path, sent, body } = await answered(
      { model, ...asked, of_the_vendor: true },
      { model: 'm', results: results.toReversed(), usage: { total_tokens: 20, prompt_tokens: 20 } },
    )
    expect(path).toMatch(/\/v1\/rerank$/)
    const name = model.slice(model.indexOf('/') + 1)
    expect(sent).toEqual({ model: name, ...asked, of_the_vendor: true, return_documents: false })
    expect(body.results).toEqual(results)
    expect(body.usage).toMatchObject({ cost_usd: model.startsWith('vllm') ? '0' : '0.000001' })
  })
})

it('another model answers if the operator has configured one', async () => {
  vendor.next({ script: scripted(500, { detail: 'down' }) })
  const { status, body, headers } = await answered({ model: 'jina/jina-reranker-v3', ...asked }, units(1))
  expect([status, body.model]).toEqual([200, 'cohere/rerank-v3.5'])
  expect(headers.get('x-turnpike-attempts')).toMatch(/^2;/)
})

it('the sandbox ranks by shared words', async () => {
  const documents = ['quarterly earnings', 'the cat sat on the mat']
  const { body } = await rerank({ model: 'sandbox/rerank', query: 'a cat', documents, top_n: 1 })
  expect(body.results).toMatchObject([{ index: 1 }])
  expect(body.usage!['cost_usd']).toMatch(/^0\.0000/)
})

describe('an invalid answer', () => {
  it.each([
    ['an index beyond the documents', { results: [{ index: 2, relevance_score: 1 }] }],
    ['an index below zero', { results: [{ index: -1, relevance_score: 1 }] }],
    ['half an index', { results: [{ index: 0.5, relevance_score: 1 }] }],
    ['one document twice', { results: [results[0], results[0]] }],
    ['no score', { results: [{ index: 0 }] }],
    ['a score that is not a number', { results: [{ index: 0, relevance_score: '1' }] }],
    ['no results', { results: [] }],
    ['something other than a list', { results: {} }],
    ['a list', [1]],
    ['no JSON', 'hello'],
  ])('with %s gives a 502', async (_, answer) => {
    const response = await answered({ model: 'cohere/rerank-v3.5', ...asked }, answer)
    expect([response.status, response.body.error?.type]).toEqual([502, 'upstream_error'])
  })

  it('is cut to the requested number of results', async () => {
    const { body } = await answered({ model: 'cohere/rerank-v3.5', ...asked, top_n: 1 }, units(1))
    expect(body.results).toEqual([results[0]])
  })
})

describe('a request', () => {
  it.each<[string, object, string]>([
    ['no query', { query: undefined }, 'query'],
    ['an empty query', { query: '' }, 'query'],
    ['no documents', { documents: [] }, 'documents'],
    ['one text for documents', { documents: 'a' }, 'documents'],
    ['a number among them', { documents: ['a', 7] }, 'documents[1]'],
    ['100,000 documents', { documents: Array.from({ length: 100_000 }, () => 'a') }, 'documents'],
    [
      'a picture among them',
      { documents: ['a', { image: 'https://example.com/a.png' }] },
      'documents[1].image',
    ],
    ['zero results', { top_n: 0 }, 'top_n'],
    ['half a document', { top_n: 1.5 }, 'top_n'],
    ['a stream', { stream: true }, 'stream'],
    ['another kind of model', { model: 'sandbox/echo' }, 'model'],
    ['any model', { model: 'auto' }, 'model'],
    ['any model after another one', { models: ['auto'] }, 'models[0]'],
    ['more chunks than are held for', { max_chunks_per_doc: 1_000 }, 'max_chunks_per_doc'],
    ['the same in another spelling', { maxChunksPerDoc: 1_000 }, 'maxChunksPerDoc'],
    ['documents by reference', { extra_body: { documents: ['a'] } }, 'extra_body.documents'],
  ])('with %s gets an error that names the field', async (_, more, param) => {
    const before = vendor.journal.entries.length
    const { status, body } = await rerank({ model: 'cohere/rerank-v3.5', ...asked, ...more })
    expect([status, body.error?.param]).toEqual([400, param])
    expect(vendor.journal.entries).toHaveLength(before)
  })
})
