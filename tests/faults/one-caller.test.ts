import { describe, expect, test } from 'vitest'
import type { TestKey } from '../nodes/test-node.ts'
import { hello, startFaultNode } from './fault-node.ts'
import { openaiError, refusal, type Misbehaviour } from './faulty-vendor.ts'
import { suiteWorld } from '../nodes/suite.ts'

/** Failures that one caller's requests can provoke at a vendor must not block other callers. */

const price = { prompt: '0.000001', completion: '0.000002' }
const poison = 'poison'
const sk = 'PlainWordsOfAVendorsKey'

/** Fails for a request that contains the poison, and answers every other request. */
const provoked =
  (refused: Misbehaviour): Misbehaviour =>
  (answer, request) =>
    request.body.includes(poison) ? refused(answer, request) : answer()

const tooLarge = {
  error: {
    message:
      'Request too large for gpt-4o in organization org-abc123XYZ on tokens per min (TPM): ' +
      'Limit 30000, Requested 41234. The input or output tokens must be reduced in order ' +
      'to run successfully.',
    type: 'tokens',
    param: null,
    code: 'rate_limit_exceeded',
  },
}
const event = (body: object): string => `data: ${JSON.stringify(body)}\n\n`
const chunk = { id: 'c', choices: [{ index: 0, delta: { content: 'one' }, finish_reason: null }] }
const leak = `No room in organization org-abc123XYZ, project proj_77 with ${sk}.`

const misbehaviours: Record<string, Misbehaviour> = {
  size: provoked(refusal(429, tooLarge)),
  groq: provoked(refusal(413, tooLarge)),
  'limit-of-all': provoked(
    refusal(429, {
      error: {
        message:
          "This request would exceed your organization's rate limit of 400,000 input tokens per minute " +
          '(org: 9d50ef40-6cc8, model: echo).',
        type: 'rate_limit_error',
      },
    }),
  ),
  'requests-of-all': provoked(
    refusal(429, { error: { message: 'Too many requests: 120 > 100 per minute.' } }),
  ),
  'unknown-size': provoked(refusal(429, { error: { message: 'Your prompt does not fit our meters.' } })),
  policy: provoked(refusal(403, { error: { message: 'This prompt is not welcome here.' } })),
  crash: provoked(openaiError(500, null)),
  overload: provoked(refusal(503, { error: { message: 'x' } }, { 'retry-after': '50' })),
  billed: provoked(refusal(402, { error: { message: 'Too dear.' } })),
  'in-stream': () => ({
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    steps: [
      { type: 'head' },
      {
        type: 'bytes',
        bytes: Buffer.from(event(chunk) + event({ error: { message: leak, type: 'server_error' } })),
        tokens: 1,
      },
      { type: 'end' },
    ],
    bill: undefined,
  }),
  'in-body': refusal(200, { error: { message: leak, code: 400 } }),
  'before-stream': refusal(422, { detail: leak }),
}

const world = await suiteWorld(
  startFaultNode(new Map(Object.entries(misbehaviours)), (urlOf) => ({
    routing: { breaker: { failures: 3, rest_seconds: 30 } },
    providers: Object.fromEntries(
      [...Object.keys(misbehaviours), 'good'].map((name) => [
        name,
        { style: 'openai', base_url: urlOf(name), api_keys: [sk] },
      ]),
    ),
    models: Object.fromEntries([
      ...[...Object.keys(misbehaviours), 'good'].map((name) => [`${name}/echo`, { pricing: price }]),
      [
        'size/then-good',
        {
          pricing: price,
          upstreams: [
            { provider: 'size', model: 'echo' },
            { provider: 'good', model: 'echo' },
          ],
        },
      ],
    ]),
  })),
)
const victim = await world.node.createKey()

const poisoned = [{ role: 'user', content: `${poison} [sandbox: pace=0]` }]

async function send(key: TestKey, model: string, body: object = {}): Promise<[Response, string]> {
  const response = await world.node.chat(key, { model, messages: hello, ...body })
  return [response, await response.text()]
}

interface ErrorBody {
  error: { message: string; type: string; code: number }
}

describe.each([false, true])('a request that is too large (stream: %s)', (stream) => {
  test.each([
    ['size', 429, 'rate_limit_error'],
    ['groq', 413, 'request_too_large'],
  ])('at %s affects only its caller', async (name, status, type) => {
    for (let call = 0; call < 4; call++) {
      const [refused, body] = await send(world.key, `${name}/echo`, { messages: poisoned, stream })
      expect(refused.status).toBe(status)
      const { error } = JSON.parse(body) as ErrorBody
      expect([error.type, error.code]).toEqual([type, status])
      expect(error.message).toContain('Limit 30000, Requested 41234')
      expect(body).not.toMatch(/org-abc/)
      expect(refused.headers.get('x-should-retry')).toBe('false')
      expect(refused.headers.get('retry-after')).toBe(status === 429 ? '60' : null)
    }
    for (const key of [world.key, victim])
      expect((await send(key, `${name}/echo`, { stream }))[0].status).toBe(200)
    const { data } = await world.node.admin<{
      data: { provider: string; state: string; failures: number }[]
    }>('/upstreams')
    expect(data.find(({ provider }) => provider === name)).toMatchObject({ state: 'working', failures: 0 })
  })

  test('is answered by the next upstream, and the first is tried again at once', async () => {
    for (let call = 0; call < 3; call++) {
      const asked = await world.ask({ model: 'size/then-good', messages: poisoned, stream })
      expect(asked.response.status).toBe(200)
      expect(asked.row.attempts.map(({ provider, result }) => `${provider} ${result}`)).toEqual([
        'size status-429',
        'good ok',
      ])
    }
  })
})

test.each(['limit-of-all', 'requests-of-all'])(
  '%s puts the vendor in cooldown for all callers',
  async (name) => {
    expect((await send(world.key, `${name}/echo`, { messages: poisoned }))[0].status).toBe(429)
    const calls = world.vendor.journal.entries.length
    const [answer, body] = await send(victim, `${name}/echo`)
    expect(answer.status, body).toBe(429)
    expect(world.vendor.journal.entries.length).toBe(calls)
  },
)

describe('a failure that is not known to be one caller’s own', () => {
  test.each(['unknown-size', 'policy', 'crash', 'overload', 'billed'])(
    '%s: blocks the vendor for that caller only',
    async (name) => {
      const attacker = await world.node.createKey()
      for (let call = 0; call < 12; call++) {
        await send(attacker, `${name}/echo`, { messages: poisoned })
        expect((await send(victim, `${name}/echo`))[0].status).toBe(200)
      }
      // Also without the victim's successful requests in between.
      for (let call = 0; call < 12; call++) await send(attacker, `${name}/echo`, { messages: poisoned })
      const calls = world.vendor.journal.entries.length
      expect((await send(attacker, `${name}/echo`))[0].ok).toBe(false)
      expect(world.vendor.journal.entries.length).toBe(calls)
      expect((await send(victim, `${name}/echo`))[0].status).toBe(200)
    },
  )
})

describe('a vendor’s message about our account and key', () => {
  test.each([
    ['before-stream', false],
    ['before-stream', true],
    ['in-body', false],
    ['in-body', true],
    ['in-stream', true],
  ])('is not passed on: %s (stream: %s)', async (name, stream) => {
    const [, body] = await send(victim, `${name}/echo`, { stream })
    expect(body).toContain('No room in organization [redacted], project [redacted] with [redacted].')
    expect(body).not.toMatch(/abc123|proj_77|PlainWords/)
  })
})
