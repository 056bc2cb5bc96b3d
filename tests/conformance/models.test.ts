import type OpenAI from 'openai'
import { APIError, NotFoundError } from 'openai'
import { openaiSchemas } from '@turnpike/simulators/openai-schema'
import { describe, expect, test } from 'vitest'
import { startSdkNode } from './sdk-node.ts'
import { suiteWorld } from '../nodes/suite.ts'

const schemas = openaiSchemas()

/** A model with every configurable field. */
const whole = {
  name: 'Llama 3.3',
  context_length: 131_072,
  max_output_tokens: 8_192,
  pricing: {
    prompt: '0.0000025',
    completion: '0.00001',
    input_cache_read: '0.00000125',
    input_cache_write: '0.000003125',
    input_cache_write_1h: '0.000005',
    internal_reasoning: '0.000011',
    audio: '0.00004',
    image: '0.000003',
    request: '0.001',
    overrides: [{ min_prompt_tokens: 200_000, prompt: '0.000005', completion: '0.000000000000000001' }],
  },
  upstreams: [{ provider: 'openai', model: 'llama3.3' }],
  tiers: ['SIMPLE' as const],
  modalities: { input: ['text' as const, 'image' as const], output: ['text' as const] },
  dimensions: null,
  supported_parameters: ['tools', 'response_format'],
}

const free = {
  pricing: { prompt: '0', completion: '0' },
  free: true,
  upstreams: [{ provider: 'openai', model: 'f' }],
}

const world = await suiteWorld(
  startSdkNode({
    billing: { markup: '1.15' },
    models: {
      'local/meta/llama-3.3': whole,
      'local/free': free,
      'local/unpriced': { upstreams: [{ provider: 'openai', model: 'u' }] },
    },
  }),
)

const entry = {
  id: 'local/meta/llama-3.3',
  object: 'model',
  created: 0,
  owned_by: 'local',
  name: 'Llama 3.3',
  context_length: 131_072,
  max_output_tokens: 8_192,
  pricing: {
    prompt: '0.000002875',
    completion: '0.0000115',
    input_cache_read: '0.0000014375',
    input_cache_write: '0.00000359375',
    input_cache_write_1h: '0.00000575',
    internal_reasoning: '0.00001265',
    audio: '0.000046',
    image: '0.00000345',
    request: '0.00115',
    overrides: [{ min_prompt_tokens: 200_000, prompt: '0.00000575', completion: '0.00000000000000000115' }],
  },
  limits: { requests_per_minute: null, input_tokens_per_minute: null, output_tokens_per_minute: null },
  operations: ['generate'],
  modalities: { input: ['text', 'image'], output: ['text'] },
  dimensions: null,
  supported_parameters: ['tools', 'response_format'],
  tiers: ['SIMPLE'],
}

function get(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${world.node.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${world.key.raw}` },
    ...init,
  })
}

describe('GET /v1/models', () => {
  test("lists callable models to the SDK, with the caller's prices", async () => {
    const models: OpenAI.Model[] = []
    for await (const model of world.client.models.list()) models.push(model)
    expect(models).toContainEqual(entry)
    const ids = models.map((model) => model.id)
    expect(ids).toEqual(expect.arrayContaining(['openai/gpt-4o-mini', 'sandbox/echo', 'local/free']))
    expect(ids).not.toContain('local/unpriced')
    expect(new Set(ids).size).toBe(ids.length)
  })

  test("is valid by OpenAI's schema, and each entry has all of our fields", async () => {
    const response = await get('/models')
    const list = (await response.json()) as { object: string; data: Record<string, unknown>[] }
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('x-request-id')).toMatch(/^req_/u)
    expect(schemas?.faultsOfModelList(list) ?? []).toEqual([])
    expect(list.object).toBe('list')
    for (const model of list.data) {
      expect(Object.keys(model).toSorted()).toEqual(Object.keys(entry).toSorted())
      expect(
        pricesIn(model['pricing']).every((price) => /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/u.test(price)),
      ).toBe(true)
    }
  })

  test.each(['/models', '/models/sandbox/echo'])('%s is private to a key: no-store', async (path) => {
    for (const header of ['x-api-key', 'x-goog-api-key']) {
      const response = await get(path, { headers: { [header]: world.key.raw } })
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    }
  })

  test('requires a key', async () => {
    const response = await get('/models', { headers: {} })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { type: 'authentication_error', code: 401 } })
  })
})

/** Every price in a model's pricing, including its overrides. */
function pricesIn(pricing: unknown): string[] {
  if (typeof pricing === 'string') return [pricing]
  return typeof pricing === 'object' && pricing !== null ? Object.values(pricing).flatMap(pricesIn) : []
}

describe('GET /v1/models/{id}', () => {
  test('works by the SDK, which escapes the slash', async () => {
    const model = await world.client.models.retrieve('openai/gpt-4o-mini')
    expect(model).toMatchObject({ id: 'openai/gpt-4o-mini', object: 'model', owned_by: 'openai' })
    expect(model).toMatchObject({ pricing: { prompt: '0.0000001725', completion: '0.00000069' } })
    expect(schemas?.faultsOfModel(model) ?? []).toEqual([])
  })

  test.each([
    ['raw', '/models/local/meta/llama-3.3'],
    ['escaped', '/models/local%2Fmeta%2Fllama-3.3'],
    ['escaped in part', '/models/local/meta%2fllama%2D3.3'],
    ['bare', '/models/meta/llama-3.3'],
    ['with a query', '/models/local/meta/llama-3.3?fields=all'],
  ])('%s', async (_how, path) => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(entry)
  })

  test('gives a free model the price 0', async () => {
    const model = await world.client.models.retrieve('local/free')
    expect(model).toMatchObject({ pricing: { prompt: '0', completion: '0' } })
  })

  test.each(['local/unpriced', 'openai/none', 'a/b/c', '%', 'x'.repeat(5000), '../chat/completions'])(
    'an unknown model %s is 404',
    async (id) => {
      const error: unknown = await world.client.models.retrieve(id).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(NotFoundError)
      expect((error as APIError).error).toMatchObject({ type: 'not_found_error', code: 404 })
      expect((error as APIError).message.length).toBeLessThan(300)
    },
  )

  test.each(['/models/%', '/models/%E0%A4%A', '/models/%ff', '/models/', '/models/%00'])(
    '%s is 404',
    async (path) => {
      const response = await get(path)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ error: { type: 'not_found_error', code: 404 } })
    },
  )

  test.each(['/models', '/models/openai/gpt-4o-mini'])('POST %s is 405', async (path) => {
    const response = await get(path, { method: 'POST', headers: {} })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', code: 405, param: null },
    })
  })
})
