import {
  generateFormats,
  vendorFormats,
  openaiChatCaller,
  outputBoundFields,
  parseRequest,
  scanObject,
  type FormatName,
} from '@turnpike/dialects'
import { describe, expect, it } from 'vitest'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt } from '../context/stages.ts'
import { generate } from '../operations/generate/rules.ts'
import { outboundBody, fitRequest } from './body.ts'
import type { UpstreamRequest } from '../upstream/client.ts'
import { KeyCredential } from '../upstream/credentials/key-credential.ts'
import { noCredential } from '../upstream/credentials/no-credential.ts'
import { withCredential } from '../upstream/credentials/with-credential.ts'
import { outboundRequest } from './request.ts'

const timeouts = { connectMs: 1, firstByteMs: 2, idleMs: 3, totalMs: 4 }
const provider = {
  name: 'p',
  format: 'openai-chat',
  baseUrl: 'https://vendor.test/base/v1',
  paths: {},
  query: '',
  keyHeader: { header: 'authorization', prefix: 'Bearer ' },
  headers: {},
  takesStreamOptions: true,
  refusesReasoning: false,
  refusesDeveloper: false,
  paidFields: [],
  allowUnpriced: new Set(),
  unaskedSearches: 0,
  timeouts,
}

/** A request that is ready for its call. */
function attempt(body: object, more: object = {}): Attempt {
  const bytes = Buffer.from(
    JSON.stringify({ model: 'p/m', messages: [{ role: 'user', content: 'x' }], ...body }),
  )
  const call = parseRequest(JSON.parse(bytes.toString()))
  const tokens = call.request.maxOutputTokens
  return {
    request: {
      exchange: { requestId: 'req_1' },
      format: openaiChatCaller,
      operation: generate,
      body: bytes,
      members: scanObject(bytes).members,
      call,
      outputBound: { tokens: tokens ?? 4_096, isSent: tokens !== undefined, isLowered: false },
    },
    refused: [],
    withoutProofs: false,
    candidate: {
      model: { id: 'p/m', maxOutputTokens: 100, supportedParameters: [] },
      upstream: { provider: 'p', model: 'm/1 x' },
      credential: new KeyCredential(() => 'sk-1', 1),
      provider: { ...provider, ...more },
      timeouts,
    },
  } as unknown as Attempt
}

function called(ready: Attempt): UpstreamRequest & { json: Record<string, unknown> } {
  const vendorFormat = vendorFormats[ready.candidate.provider.format]
  const lenient = fitRequest(ready, ready.request.call.request, vendorFormat)
  const body = outboundBody(
    ready,
    { original: ready.request.call.request, lenient },
    vendorFormat,
    {} as Gateway,
  ) as Buffer
  const signed = withCredential(outboundRequest(ready, vendorFormat, body), ready.candidate)
  return {
    ...(signed as UpstreamRequest),
    json: JSON.parse(body.toString()) as Record<string, unknown>,
  }
}

describe('the call to a vendor', () => {
  it('goes to the format’s path below the base URL, with the key as a bearer token', () => {
    const call = called(attempt({}))
    expect(call).toMatchObject({ origin: 'https://vendor.test', path: '/base/v1/chat/completions', timeouts })
    expect(call.headers).toMatchObject({ authorization: 'Bearer sk-1', accept: 'application/json' })
    expect(call.json).toMatchObject({ model: 'm/1 x' })
  })

  it('uses the provider’s path, query, headers and credential', () => {
    const azure = {
      paths: { generate: '/openai/deployments/{model}/chat/completions' },
      query: 'api-version=2024-10-21',
      keyHeader: { header: 'api-key', prefix: '' },
      headers: { 'x-region': 'eu' },
    }
    const call = called(attempt({}, azure))
    expect(call.path).toBe('/base/v1/openai/deployments/m%2F1%20x/chat/completions?api-version=2024-10-21')
    expect(call.headers).toMatchObject({ 'api-key': 'sk-1', 'x-region': 'eu' })
    expect(call.headers['authorization']).toBeUndefined()
  })

  it('appends the provider’s query to the format’s own', () => {
    const call = called(attempt({ stream: true }, { format: 'google-generate', query: 'key=1' }))
    expect(call.path).toMatch(/:streamGenerateContent\?alt=sse&key=1$/)
    expect(call.headers['accept']).toBe('text/event-stream')
  })

  describe('has one bound of output tokens', () => {
    const reasoningBoundField = 'max_completion_tokens'
    const openai = { reasoningBoundField }
    const ollama = { outputBoundField: 'max_tokens' }

    /** The members of the call that bound its output. */
    function bounds(named: object, vendor: object, parameters: string[] = [], sent?: number): object {
      const ready = attempt(named, vendor)
      Object.assign(ready.candidate.model, { supportedParameters: parameters, maxOutputTokens: 1_000 })
      if (sent !== undefined) ready.request.outputBound = { tokens: sent, isSent: true, isLowered: false }
      const text = Object.entries(called(ready).json)
      return Object.fromEntries(text.filter(([name]) => outputBoundFields.has(name)))
    }

    it.each([
      ['the field that the caller used', { max_tokens: 50 }, {}, [], { max_tokens: 50 }],
      ['the other field', { max_completion_tokens: 50 }, {}, [], { max_completion_tokens: 50 }],
      ['the only field that the vendor knows', { max_completion_tokens: 50 }, ollama, [], { max_tokens: 50 }],
      [
        'the field of models that reason',
        { max_tokens: 50 },
        openai,
        ['reasoning'],
        { max_completion_tokens: 50 },
      ],
      ['which other models of the vendor do not need', { max_tokens: 50 }, openai, [], { max_tokens: 50 }],
      [
        'the larger of two fields',
        { max_completion_tokens: 1, max_tokens: 900 },
        {},
        [],
        { max_tokens: 900 },
      ],
      [
        'one of two fields for a model that reasons',
        { max_tokens: 900, max_completion_tokens: 1 },
        openai,
        ['reasoning'],
        { max_completion_tokens: 900 },
      ],
      ['without the field of llama.cpp', { max_tokens: 1, n_predict: 700 }, {}, [], { max_tokens: 700 }],
      ['not null', { max_tokens: null, max_completion_tokens: 7 }, {}, [], { max_tokens: 7 }],
      ['at most the model’s own', { max_tokens: 5_000 }, {}, [], { max_tokens: 1_000 }],
      ['none', {}, {}, [], {}],
    ])('%s', (_, named, vendor, parameters, expected) => {
      expect(bounds(named, vendor, parameters)).toEqual(expected)
    })

    it('which the gateway adds if the caller named none', () => {
      expect(bounds({}, {}, [], 300)).toEqual({ max_tokens: 300 })
      expect(bounds({}, openai, ['reasoning'], 300)).toEqual({ max_completion_tokens: 300 })
    })

    it('which is lowered under every format’s own name', () => {
      for (const format of Object.keys(generateFormats)) {
        const ready = attempt({ max_tokens: 90 }, { format })
        ready.request.outputBound = { tokens: 40, isSent: true, isLowered: true }
        const text = JSON.stringify(called(ready).json)
        expect(text, format).toMatch(/"(max_tokens|max_output_tokens|maxOutputTokens|maxTokens)":40\b/)
        expect(text, format).not.toContain('90')
      }
    })
  })

  it('asks a stream for its usage, unless the server does not support that', () => {
    const stream = { stream: true, stream_options: { include_obfuscation: false } }
    expect(called(attempt(stream)).json['stream_options']).toEqual({
      include_obfuscation: false,
      include_usage: true,
    })
    expect(called(attempt(stream, { takesStreamOptions: false })).json).not.toHaveProperty('stream_options')
  })

  it('has no credential if there is none', () => {
    const ready = attempt({})
    ready.candidate.credential = noCredential
    expect(called(ready).headers).not.toHaveProperty('authorization')
  })

  it.each(['anthropic-messages', 'google-generate', 'mistral-chat', 'deepseek-chat'] satisfies FormatName[])(
    'is written in the format of %s, without our own fields',
    (format) => {
      const tagged = { metadata: { tags: ['ours'] }, stream: true, temperature: 0.5 }
      expect(JSON.stringify(called(attempt(tagged, { format })).json)).not.toContain('ours')
    },
  )

  it('fails if the vendor does not support what the request contains', () => {
    const refused = expect.objectContaining({ status: 400, param: 'n' }) as Error
    expect(() => called(attempt({ n: 2 }, { format: 'anthropic-messages' }))).toThrow(refused)
  })
})
