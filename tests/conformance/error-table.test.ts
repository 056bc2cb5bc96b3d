import { describe, expect, it, vi } from 'vitest'
import type { TestKey, TestNode } from '../nodes/test-node.ts'
import { suiteNode, suiteVendor } from '../nodes/suite.ts'

/** The table of docs/contract.md, 2: a real request for each status of the compatible API. */
interface Row {
  status: number
  type: string
  when: string
  provoke: (context: Context) => Promise<Response>
  retryAfter?: boolean
  headers?: Record<string, string>
}

interface Context {
  node: TestNode
  key: TestKey
}

const messages = (knobs: string): object[] => [{ role: 'user', content: `hi [sandbox: ${knobs}]` }]
const ask = ({ node, key }: Context, knobs: string, more: object = {}): Promise<Response> =>
  node.chat(key, { model: 'vendor/echo', max_tokens: 20, messages: messages(knobs), ...more })

/** A stream that is still open when its key is used again. */
async function whileStreaming(context: Context, then: () => Promise<Response>): Promise<Response> {
  const leave = new AbortController()
  const body = { model: 'vendor/echo', stream: true, max_tokens: 900, messages: messages('pace=0 stall=3') }
  const open = await context.node.chat(context.key, body, { signal: leave.signal })
  await open.body!.getReader().read()
  try {
    return await then()
  } finally {
    leave.abort()
  }
}

const rows: Row[] = [
  {
    status: 400,
    type: 'invalid_request_error',
    when: 'a wrong field',
    provoke: (context) => ask(context, 'pace=0', { temperature: 'hot' }),
  },
  {
    status: 400,
    type: 'invalid_request_error',
    when: 'what the vendor refuses of a request',
    provoke: (context) => ask(context, 'error=400'),
  },
  {
    status: 401,
    type: 'authentication_error',
    when: 'a wrong key',
    provoke: ({ node, key }) => node.chat({ ...key, raw: 'sk-turnpike-wrong' }, {}),
  },
  {
    status: 402,
    type: 'insufficient_quota',
    when: 'credit that cannot cover the request',
    provoke: (context) => ask(context, 'pace=0', { max_tokens: 100_000 }),
  },
  {
    status: 403,
    type: 'permission_error',
    when: 'a model that is not on the list of the key',
    async provoke({ node }) {
      return ask({ node, key: await node.createKey({ allowedModels: ['vendor/other'] }) }, 'pace=0')
    },
  },
  {
    status: 404,
    type: 'not_found_error',
    when: 'an unknown model',
    provoke: (context) => ask(context, 'pace=0', { model: 'vendor/nothing' }),
  },
  {
    status: 405,
    type: 'invalid_request_error',
    when: 'a wrong method',
    provoke: ({ node }) => fetch(`${node.baseUrl}/chat/completions`),
    headers: { allow: 'POST' },
  },
  {
    status: 413,
    type: 'request_too_large',
    when: 'a body over the limit',
    provoke: ({ node, key }) => node.chat(key, 'x'.repeat(200_000)),
  },
  {
    status: 415,
    type: 'invalid_request_error',
    when: 'a body that is not JSON',
    provoke: ({ node, key }) => node.chat(key, 'a=b', { headers: { 'content-type': 'text/plain' } }),
  },
  {
    status: 429,
    type: 'rate_limit_error',
    when: 'credit that requests in flight hold',
    provoke: (context) => whileStreaming(context, () => ask(context, 'pace=0', { max_tokens: 900 })),
    retryAfter: true,
  },
  {
    status: 429,
    type: 'rate_limit_error',
    when: 'an upstream over its own limit',
    provoke: (context) => ask(context, 'error=429'),
    retryAfter: true,
  },
  {
    status: 502,
    type: 'upstream_error',
    when: 'an upstream that rejects our credential',
    provoke: (context) => ask(context, 'error=401'),
  },
  {
    status: 502,
    type: 'upstream_error',
    when: 'an unusable answer',
    provoke: (context) => ask(context, 'malformed'),
  },
  {
    status: 503,
    type: 'service_unavailable',
    when: 'an upstream that is overloaded',
    provoke: (context) => ask(context, 'error=529'),
    retryAfter: true,
  },
  {
    status: 503,
    type: 'service_unavailable',
    when: 'an upstream that is not there',
    provoke: (context) => ask(context, 'pace=0', { model: 'gone/echo' }),
    retryAfter: true,
  },
  {
    status: 504,
    type: 'upstream_timeout',
    when: 'no first byte in time',
    provoke: (context) => ask(context, 'hang'),
  },
]

describe('the table of errors', () => {
  const vendor = suiteVendor()
  const node = suiteNode(() => {
    const pricing = { prompt: '0.000000001', completion: '0.001' }
    return {
      server: { max_body_bytes: 100_000 },
      providers: {
        vendor: { style: 'openai', base_url: vendor.baseUrl() },
        gone: { style: 'openai', base_url: 'http://127.0.0.1:9/v1' },
      },
      upstream: { first_byte_seconds: 1 },
      models: {
        'vendor/echo': { pricing, max_output_tokens: 200_000 },
        'vendor/other': { pricing },
        'gone/echo': { pricing },
      },
    }
  })

  it.each(rows)('$status $type: $when', async (row) => {
    const key = await node.createKey({ creditUsd: '1' })
    const response = await row.provoke({ node, key })
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    expect(error).toMatchObject({ type: row.type, code: row.status, message: expect.any(String) as string })
    // Machine-readable details of a 402.
    const { metadata, ...rest } = error
    expect(Object.keys(rest).toSorted()).toEqual(['code', 'message', 'param', 'request_id', 'type'])
    expect(metadata !== undefined).toBe(row.status === 402)
    expect(response.status).toBe(row.status)
    expect(response.headers.get('x-request-id')).toBe(error['request_id'])
    const retryAfter = response.headers.get('retry-after')
    if (row.retryAfter === true) expect(retryAfter).toMatch(/^[1-9]\d*$/)
    for (const [name, value] of Object.entries(row.headers ?? {})) {
      expect(response.headers.get(name)).toBe(value)
    }
  })

  it('500 api_error: an internal error reveals nothing about the gateway', async () => {
    const key = await node.createKey({ creditUsd: '1' })
    vi.spyOn(node.storage.apiKeys, 'find').mockRejectedValueOnce(new TypeError('insides at /srv/app.ts:12'))
    const path = `/accounts/${key.accountId}/keys/${key.id}`
    const failure = await node.admin(path).catch((error: unknown) => String(error))
    expect(failure).toMatch(/500 .*"type":"api_error"/)
    expect(failure).not.toMatch(/insides|srv/)
  })
})
