import { dialects, parseRequest, scanObject, type DialectName } from '@turnpike/dialects'
import { describe, expect, it } from 'vitest'
import type { Held } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { outboundBody } from './outbound-body.ts'
import { outboundRequest } from './outbound.ts'

const timeouts = { connectMs: 1, firstByteMs: 2, idleMs: 3, totalMs: 4 }
const provider = {
  name: 'p',
  dialect: 'openai-chat',
  baseUrl: 'https://vendor.test/base/v1',
  path: undefined,
  query: '',
  credential: { header: 'authorization', prefix: 'Bearer ' },
  headers: {},
  takesStreamOptions: true,
  refusesReasoning: false,
  refusesDeveloper: false,
  timeouts,
}

/** A request that got as far as its call. */
function held(body: object, more: object = {}): Held {
  const bytes = Buffer.from(
    JSON.stringify({ model: 'p/m', messages: [{ role: 'user', content: 'x' }], ...body }),
  )
  return {
    exchange: { requestId: 'req_1' },
    body: bytes,
    members: scanObject(bytes).members,
    chat: parseRequest(JSON.parse(bytes.toString())),
    model: { id: 'p/m', maxOutputTokens: 100, supportedParameters: [] },
    upstream: { provider: 'p', model: 'm/1 x' },
    apiKey: 'sk-1',
    provider: { ...provider, ...more },
  } as unknown as Held
}

function called(request: Held): ReturnType<typeof outboundRequest> & { json: Record<string, unknown> } {
  const dialect = dialects[request.provider.dialect]
  const body = outboundBody(request, dialect, {} as Gateway) as Buffer
  return {
    ...outboundRequest(request, dialect, body),
    json: JSON.parse(body.toString()) as Record<string, unknown>,
  }
}

describe('the call to a vendor', () => {
  it("goes to the dialect's path below the base URL, with the key as a bearer's token", () => {
    const call = called(held({}))
    expect(call).toMatchObject({ origin: 'https://vendor.test', path: '/base/v1/chat/completions', timeouts })
    expect(call.headers).toMatchObject({ authorization: 'Bearer sk-1', accept: 'application/json' })
    expect(call.json).toMatchObject({ model: 'm/1 x' })
  })

  it('goes where the provider says, with its query, its headers and its credential', () => {
    const azure = {
      path: '/openai/deployments/{model}/chat/completions',
      query: 'api-version=2024-10-21',
      credential: { header: 'api-key', prefix: '' },
      headers: { 'x-region': 'eu' },
    }
    const call = called(held({}, azure))
    expect(call.path).toBe('/base/v1/openai/deployments/m%2F1%20x/chat/completions?api-version=2024-10-21')
    expect(call.headers).toMatchObject({ 'api-key': 'sk-1', 'x-region': 'eu' })
    expect(call.headers['authorization']).toBeUndefined()
  })

  it("appends the provider's query to the dialect's own", () => {
    const call = called(held({ stream: true }, { dialect: 'google-generate', query: 'key=1' }))
    expect(call.path).toMatch(/:streamGenerateContent\?alt=sse&key=1$/)
    expect(call.headers['accept']).toBe('text/event-stream')
  })

  it("bounds OpenAI's reasoning models by the name that they know, and all others by the caller's", () => {
    const bounded = (more: object, parameters: string[], vendor: string): Record<string, unknown> => {
      const request = held(more, { vendor })
      request.model.supportedParameters = parameters
      return called(request).json
    }
    const renamed = bounded({ max_tokens: 50 }, ['reasoning'], 'openai')
    expect(renamed).toMatchObject({ max_completion_tokens: 50 })
    expect(renamed).not.toHaveProperty('max_tokens')
    expect(bounded({}, ['reasoning'], 'openai')).not.toHaveProperty('max_completion_tokens')
    for (const [parameters, vendor] of [
      [[], 'openai'],
      [['reasoning'], 'groq'],
    ] as const) {
      const kept = bounded({ max_tokens: 50 }, [...parameters], vendor)
      expect(kept).toMatchObject({ max_tokens: 50 })
      expect(kept).not.toHaveProperty('max_completion_tokens')
    }
  })

  it('asks a stream for its usage, but where the server takes no such wish', () => {
    const stream = { stream: true, stream_options: { include_obfuscation: false } }
    expect(called(held(stream)).json['stream_options']).toEqual({
      include_obfuscation: false,
      include_usage: true,
    })
    expect(called(held(stream, { takesStreamOptions: false })).json).not.toHaveProperty('stream_options')
  })

  it('sends no credential where there is none', () => {
    expect(called({ ...held({}), apiKey: undefined }).headers).not.toHaveProperty('authorization')
  })

  it.each(['anthropic-messages', 'google-generate', 'mistral-chat', 'deepseek-chat'] satisfies DialectName[])(
    'is said in the words of %s, without what is ours',
    (dialect) => {
      const tagged = { metadata: { tags: ['ours'] }, stream: true, temperature: 0.5 }
      expect(JSON.stringify(called(held(tagged, { dialect })).json)).not.toContain('ours')
    },
  )

  it('is not made where the vendor cannot do what the request asks for', () => {
    const refused = expect.objectContaining({ status: 400, param: 'n' }) as Error
    expect(() => called(held({ n: 2 }, { dialect: 'anthropic-messages' }))).toThrow(refused)
  })
})
