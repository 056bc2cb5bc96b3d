import OpenAI from 'openai'
import { beforeAll, describe, expect, it } from 'vitest'
import { scripted, thrownBy } from '../sdk-node.ts'
import { suiteNode, suiteVendor } from '../../nodes/suite.ts'

/*
 * What each vendor receives, and how its response is read. The bodies are from the vendors' documentation
 * (ai.google.dev/api/embeddings, docs.cohere.com/reference/embed, docs.voyageai.com/reference/embeddings-api,
 * docs.mistral.ai/api/endpoint/embeddings).
 */

let client: OpenAI

const vendor = suiteVendor()
const node = suiteNode(() => {
  const at = (version: string): string => vendor.baseUrl().replace(/\/v1$/, version)
  return {
    providers: {
      gemini: { base_url: at('/v1beta'), api_keys: ['sk-g'] },
      cohere: { base_url: at('/v2'), api_keys: ['sk-c'] },
      voyage: { base_url: at('/v1'), api_keys: ['sk-v'] },
      mistral: { base_url: at('/v1'), api_keys: ['sk-m'] },
      azure: { base_url: at(''), api_keys: ['sk-z'] },
      ollama: { base_url: at('/v1') },
    },
    models: { 'ollama/nomic-embed-text': { free: true, operations: ['embed'] } },
  }
})
beforeAll(async () => {
  client = new OpenAI({ apiKey: (await node.createKey()).raw, baseURL: node.baseUrl, maxRetries: 0 })
})

type Body = OpenAI.EmbeddingCreateParams & { input_type?: string }

interface Exchange {
  path: string
  sent: Record<string, unknown>
  answer: OpenAI.CreateEmbeddingResponse
}

async function exchanged(asked: Body, answer: unknown): Promise<Exchange> {
  vendor.next({ script: scripted(200, answer) })
  const embeddings = await client.embeddings.create({ encoding_format: 'float', ...asked })
  const { request } = vendor.journal.entries.at(-1)!
  return {
    path: request.path,
    sent: JSON.parse(request.body.toString()) as Exchange['sent'],
    answer: embeddings,
  }
}

const list = (...vectors: unknown[]): object => ({
  object: 'list',
  data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
})

describe('Google', () => {
  const model = 'gemini/gemini-embedding-001'
  const answer = { embeddings: [{ values: [0.013168523, -0.008711934] }, { values: [1e-7, 2] }] }

  it('gets one request per text, and its tokens are counted by the gateway', async () => {
    const asked = { model, input: ['two words', 'three short words'], dimensions: 2, input_type: 'query' }
    const { path, sent, answer: given } = await exchanged(asked, answer)
    expect(path).toMatch(/\/v1beta\/models\/gemini-embedding-001:batchEmbedContents$/)
    const settings = {
      model: 'models/gemini-embedding-001',
      taskType: 'RETRIEVAL_QUERY',
      outputDimensionality: 2,
    }
    expect(sent).toEqual({
      requests: asked.input.map((text) => ({ ...settings, content: { parts: [{ text }] } })),
    })
    expect(given.data.map(({ embedding }) => embedding)).toEqual([
      [0.013168523, -0.008711934],
      [1e-7, 2],
    ])
    expect(given.usage).toEqual({ prompt_tokens: 6, total_tokens: 6, cost_usd: '0.0000009', cost: 9e-7 })
  })

  it('returns base64 without losing any of the 32 bits', async () => {
    vendor.next({ script: scripted(200, answer) })
    // By default the SDK requests base64 and decodes it.
    const { data } = await client.embeddings.create({ model, input: ['a', 'b'] })
    expect(data[0]!.embedding).toEqual([0.013168523, -0.008711934].map(Math.fround))
  })

  it('refuses tokens, and fields that it does not have', async () => {
    for (const [more, param] of [
      [{ input: [1, 2] }, 'input'],
      [{ input: 'a', input_type: 'poem' }, 'input_type'],
      [{ input: 'a', unheard_of: 1 }, 'unheard_of'],
    ] as const) {
      const asked = client.embeddings.create({ model, ...more } as unknown as Body)
      expect(await thrownBy(asked)).toMatchObject({ status: 400, param })
    }
  })

  it('is called without them if the caller asks for leniency', async () => {
    vendor.next({ script: scripted(200, { embeddings: [{ values: [1] }] }) })
    const headers = { 'x-turnpike-unsupported': 'drop' }
    const asked = { model, input: 'a', unheard_of: 1 } as unknown as Body
    const { response } = await client.embeddings.create(asked, { headers }).withResponse()
    expect(response.headers.get('x-turnpike-dropped')).toBe('unheard_of')
  })
})

describe('Cohere', () => {
  const model = 'cohere/embed-v4.0'
  const answer = {
    id: 'x',
    embeddings: { float: [[0.016, -0.5]] },
    texts: ['a'],
    meta: { api_version: { version: '2' }, billed_units: { input_tokens: 3 } },
  }

  it('gets the purpose of the vectors, and is charged by its own billed units', async () => {
    const { path, sent, answer: given } = await exchanged({ model, input: 'a', dimensions: 2 }, answer)
    expect(path).toMatch(/\/v2\/embed$/)
    expect(sent).toEqual({
      model: 'embed-v4.0',
      texts: ['a'],
      input_type: 'search_document',
      embedding_types: ['float'],
      output_dimension: 2,
      truncate: 'NONE',
    })
    expect(given.data[0]!.embedding).toEqual([0.016, -0.5])
    expect(given.usage).toMatchObject({ prompt_tokens: 3, cost_usd: '0.00000036' })
    const query = await exchanged({ model, input: 'a', input_type: 'search_query' }, answer)
    expect(query.sent['input_type']).toBe('search_query')
  })

  it('reports errors in its own format', async () => {
    vendor.next({ script: scripted(400, { id: 'x', message: 'invalid request: too long' }) })
    const error = await thrownBy(client.embeddings.create({ model, input: 'a' }))
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error' })
    expect(error.message).toContain('too long')
  })
})

describe('Voyage', () => {
  it('reports only the total', async () => {
    const asked = { model: 'voyage/voyage-3.5', input: ['a', 'b'], input_type: 'document', dimensions: 2 }
    const answer = { ...list([1, 2], [3, 4]), model: 'voyage-3.5', usage: { total_tokens: 10 } }
    const { path, sent, answer: given } = await exchanged(asked, answer)
    expect(path).toMatch(/\/v1\/embeddings$/)
    expect(sent).toEqual({
      model: 'voyage-3.5',
      input: ['a', 'b'],
      input_type: 'document',
      output_dimension: 2,
      truncation: false,
    })
    expect(given.usage).toMatchObject({ prompt_tokens: 10, total_tokens: 10, cost_usd: '0.0000006' })
  })
})

describe('Mistral', () => {
  it('is asked for numbers, and gets no field that it does not know', async () => {
    const answer = { ...list([1, 2]), usage: { prompt_tokens: 4, total_tokens: 4, completion_tokens: 0 } }
    const asked = { model: 'mistral/mistral-embed', input: 'a', user: 'u' }
    const { path, sent, answer: given } = await exchanged(asked, answer)
    expect(path).toMatch(/\/v1\/embeddings$/)
    expect(sent).toEqual({ model: 'mistral-embed', input: ['a'] })
    expect(given.usage).toMatchObject({ prompt_tokens: 4, cost_usd: '0.0000004' })
  })
})

describe('servers of OpenAI’s format', () => {
  it('Azure is called below its deployment, with its version', async () => {
    const answer = { ...list([1]), model: 'x', usage: { prompt_tokens: 1, total_tokens: 1 } }
    const { path } = await exchanged({ model: 'azure/text-embedding-3-small', input: 'a' }, answer)
    expect(path).toMatch(/\/openai\/deployments\/text-embedding-3-small\/embeddings\?api-version=[\d-]+$/)
  })

  it("an operator's own model becomes an embeddings model by its operation", async () => {
    const { path, answer } = await exchanged({ model: 'ollama/nomic-embed-text', input: 'a b' }, list([1]))
    expect(path).toMatch(/\/v1\/embeddings$/)
    expect(answer.usage).toMatchObject({ prompt_tokens: 2, cost_usd: '0' })
  })
})
