import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { hello, startFaultNode, type Asked } from './fault-node.ts'
import { beforeHead, openaiError, refusal, type Misbehaviour } from './faulty-vendor.ts'
import { suiteWorld } from '../nodes/suite.ts'

/**
 * Tests what is put in cooldown, for how long, and what callers see of it. Each test has its own providers.
 */

const price = { prompt: '0.000001', completion: '0.000002' }
const failures = 3

const limitedFor = (seconds: number): Misbehaviour =>
  refusal(429, { error: { message: 'Slow down.' } }, { 'retry-after': String(seconds) })

/** Rejects the first of the keys. */
const firstKeyBad =
  (status: number, code: string): Misbehaviour =>
  (answer, request) =>
    request.headers['authorization'] === 'Bearer first'
      ? openaiError(status, code)(answer, request)
      : answer()

const names = [
  'limit',
  'limit2',
  'limit3',
  'keys',
  'quota',
  'alone',
  'alone2',
  'alone3',
  'empty',
  'mixed',
  'down',
  'probe',
  'caller',
  'refresh',
  'maintained',
  'good',
]
const patience = { timeout: 15_000, interval: 20 }

const world = await suiteWorld(
  startFaultNode(new Map(), (urlOf) => ({
    routing: {
      breaker: { failures, rest_seconds: 3, longest_rest_seconds: 60, probes: 1 },
    },
    providers: Object.fromEntries(
      names.map((name) => [
        name,
        {
          style: 'openai',
          base_url: urlOf(name),
          ...(['keys', 'quota'].includes(name) ? { api_keys: ['first', 'second'] } : {}),
        },
      ]),
    ),
    models: Object.fromEntries([
      ...names.map((name) => [`${name}/echo`, { pricing: price }]),
      ['keys/other', { pricing: price }],
      ['quota/other', { pricing: price }],
      [
        'limit2/then-good',
        {
          pricing: price,
          upstreams: [
            { provider: 'limit2', model: 'echo' },
            { provider: 'good', model: 'echo' },
          ],
        },
      ],
      [
        'mixed/both',
        {
          pricing: price,
          upstreams: [
            { provider: 'mixed', model: 'echo' },
            { provider: 'limit3', model: 'echo' },
          ],
        },
      ],
    ]),
  })),
)

/** Returns which attempts the row lists, and how many calls the vendor got. */
async function ask(model: string, more: object = {}): Promise<Asked & { tried: string[]; calls: number }> {
  const user = randomUUID()
  const asked = await world.ask({ model, user, ...more })
  const tried = asked.row.attempts.map(({ provider, key, result }) =>
    [provider, ...(key === undefined ? [] : [`#${key}`]), result].join(' '),
  )
  return { ...asked, tried, calls: world.callsOf(user).length }
}

/** Returns only the response: reading the row takes time, in which a cooldown would expire. */
async function send(model: string): Promise<Response> {
  const response = await world.node.chat(world.key, { model, messages: hello })
  await response.text()
  return response
}

interface Listed {
  provider: string
  model: string
  key: number | null
  state: string
  reason: string | null
  failures_in_a_row: number
}

async function listed(provider: string): Promise<Listed[]> {
  const { data } = await world.node.admin<{ data: Listed[] }>('/upstreams')
  return data.filter((one) => one.provider === provider)
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe('a rate limit', () => {
  test('starts a cooldown at once, and serves callers that wait as Retry-After says', async () => {
    world.misbehaviours.set('limit', limitedFor(12))
    const first = await send('limit/echo')
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '12'])
    world.misbehaviours.delete('limit')
    const second = await ask('limit/echo')
    expect([second.response.status, second.tried, second.calls]).toEqual([429, ['limit resting'], 0])
    expect(JSON.parse(second.body)).toMatchObject({ error: { type: 'rate_limit_error', code: 429 } })
    expect(await listed('limit')).toMatchObject([{ state: 'resting', reason: 'rate-limited' }])
    const waitSeconds = Number(second.response.headers.get('retry-after'))
    expect(waitSeconds).toBeGreaterThan(0)
    expect(waitSeconds).toBeLessThanOrEqual(12)
    await wait(waitSeconds * 1_000)
    expect((await ask('limit/echo')).response.status).toBe(200)
    expect(await listed('limit')).toMatchObject([{ state: 'working', reason: null }])
  })

  test('sends later requests to the next upstream, without calling the limited one', async () => {
    world.misbehaviours.set('limit2', limitedFor(30))
    expect((await ask('limit2/then-good')).tried).toEqual(['limit2 status-429', 'good ok'])
    const next = await ask('limit2/then-good')
    expect([next.response.status, next.tried, next.calls]).toEqual([200, ['limit2 resting', 'good ok'], 1])
    expect(next.response.headers.get('x-turnpike-attempts')).toMatch(
      /^1;tried="limit2\/echo resting, good\/echo ok \d\.\d{3}s"$/,
    )
  })
})

describe('a key', () => {
  test.each([
    ['keys', 401, 'invalid_api_key', 'key-refused'],
    ['quota', 429, 'insufficient_quota', 'out-of-quota'],
  ])(
    'of %s that gets %i %s is in cooldown for all models, and other keys are not',
    async (name, status, code, reason) => {
      world.misbehaviours.set(name, firstKeyBad(status, code))
      expect((await ask(`${name}/echo`)).tried).toEqual([`${name} #1 status-${status}`, `${name} #2 ok`])
      const tried: string[][] = []
      for (const model of ['echo', 'other', 'echo', 'other']) {
        const asked = await ask(`${name}/${model}`)
        expect([asked.response.status, asked.calls]).toEqual([200, 1])
        tried.push(asked.tried)
      }
      expect(tried.flat().filter((one) => one.includes('status'))).toEqual([])
      expect(tried).toContainEqual([`${name} #1 resting`, `${name} #2 ok`])
      for (const one of await listed(name))
        expect(one).toMatchObject(
          one.key === 1 ? { state: 'resting', reason } : { state: 'working', reason: null },
        )
    },
  )
})

describe("a provider's only key", () => {
  test.each([
    ['alone', 401],
    ['alone2', 403],
  ])('of %s that gets %i is tried despite its cooldown, and works once it is fixed', async (name, status) => {
    const model = `${name}/echo`
    world.misbehaviours.set(name, openaiError(status, 'invalid_api_key'))
    for (let call = 0; call < failures; call++) {
      const refused = await ask(model)
      expect([refused.response.status, refused.calls]).toEqual([502, 1])
    }
    expect(await listed(name)).toMatchObject([{ state: 'resting' }])
    world.misbehaviours.delete(name)
    const mended = await ask(model)
    expect([mended.response.status, mended.calls]).toEqual([200, 1])
    expect(await listed(name)).toMatchObject([{ state: 'working', reason: null }])
  })

  test('is rarely called while requests keep coming', async () => {
    world.misbehaviours.set('alone', openaiError(401, 'invalid_api_key'))
    let calls = 0
    const statuses = new Set<number>()
    for (let call = 0; call < 40; call++) {
      const refused = await ask('alone/echo')
      calls += refused.calls
      statuses.add(refused.response.status)
    }
    // One that is rejected, as many that insist, and one before the first pause; then each pause is longer.
    expect(calls).toBeLessThan(failures + 10)
    expect([...statuses]).toEqual([502, 503])
    world.misbehaviours.delete('alone')
  })

  test('that was rejected and is accepted again passes on the vendor’s current error', async () => {
    world.misbehaviours.set('alone3', openaiError(401, 'invalid_api_key'))
    for (let call = 0; call < 3; call++) expect((await ask('alone3/echo')).response.status).toBe(502)
    world.misbehaviours.set('alone3', openaiError(404, 'model_not_found'))
    const missing = await ask('alone3/echo')
    expect([missing.response.status, missing.calls]).toEqual([404, 1])
    expect(missing.response.headers.get('retry-after')).toBeNull()
    // The key is valid again; that no request has succeeded yet is still reported.
    expect(await listed('alone3')).toMatchObject([{ state: 'failing', reason: null, answers: 0 }])
  })

  test('whose account is empty is not called again', async () => {
    world.misbehaviours.set('empty', openaiError(429, 'insufficient_quota'))
    expect((await ask('empty/echo')).calls).toBe(1)
    const resting = await ask('empty/echo')
    expect([resting.response.status, resting.calls]).toEqual([503, 0])
    expect(Number(resting.response.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('failures', () => {
  test('start a cooldown after several in a row; then one request probes, and all follow', async () => {
    world.misbehaviours.set('down', openaiError(500, null))
    for (let call = 0; call < failures; call++) expect((await send('down/echo')).status).toBe(502)
    const resting = await ask('down/echo')
    expect([resting.response.status, resting.calls]).toEqual([503, 0])
    const waitSeconds = Number(resting.response.headers.get('retry-after'))
    expect(waitSeconds).toBeGreaterThan(0)
    expect(waitSeconds).toBeLessThanOrEqual(12)
    expect(await listed('down')).toMatchObject([{ state: 'resting', reason: 'failing' }])
    world.misbehaviours.delete('down')
    await wait(waitSeconds * 1_000)
    expect((await ask('down/echo')).response.status).toBe(200)
    const together = await Promise.all(Array.from({ length: 5 }, () => ask('down/echo')))
    expect(together.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200])
  })

  test('that say when they are over start a cooldown at once, for that long', async () => {
    world.misbehaviours.set('maintained', refusal(503, { error: {} }, { 'retry-after': '30' }))
    expect((await send('maintained/echo')).status).toBe(503)
    const resting = await ask('maintained/echo')
    expect([resting.response.status, resting.calls]).toEqual([503, 0])
    expect(Number(resting.response.headers.get('retry-after'))).toBeGreaterThan(15)
    expect(await listed('maintained')).toMatchObject([{ state: 'resting', reason: 'failing' }])
  })

  test('of one upstream and a rate limit of the other are 503, as waiting alone would not help', async () => {
    world.misbehaviours.set('mixed', openaiError(500, null))
    world.misbehaviours.set('limit3', limitedFor(30))
    for (let call = 0; call < failures; call++) await send('mixed/both')
    const resting = await ask('mixed/both')
    expect([resting.response.status, resting.tried]).toEqual([503, ['mixed resting', 'limit3 resting']])
    expect(Number(resting.response.headers.get('retry-after'))).toBeLessThanOrEqual(4)
  })

  test('that are the caller’s own are not counted', async () => {
    world.misbehaviours.set('caller', openaiError(400, null))
    for (let call = 0; call < failures + 2; call++)
      expect((await ask('caller/echo')).response.status).toBe(400)
    expect(await listed('caller')).toEqual([])
  })
})

test('a client that leaves releases the permission to probe', async () => {
  world.misbehaviours.set('probe', limitedFor(1))
  await ask('probe/echo')
  world.misbehaviours.set('probe', beforeHead('hang'))
  await wait(1_000)
  const user = randomUUID()
  const abort = new AbortController()
  const body = { model: 'probe/echo', messages: hello, user }
  const left = world.node.chat(world.key, body, { signal: abort.signal })
  await vi.waitFor(() => expect(world.callsOf(user)).toHaveLength(1), patience)
  world.misbehaviours.delete('probe')
  // The one request that may probe is in progress, so another one is refused.
  const meanwhile = await ask('probe/echo')
  expect([meanwhile.response.status, meanwhile.calls]).toEqual([429, 0])
  expect(meanwhile.response.headers.get('retry-after')).toBe('1')
  abort.abort()
  await expect(left).rejects.toThrow()
  await vi.waitFor(() => expect(world.callsOf(user)[0]!.ending).toBe('client-closed'), patience)
  expect((await ask('probe/echo')).response.status).toBe(200)
})

test('refreshing the prices forgets no cooldown', async () => {
  world.misbehaviours.set('refresh', limitedFor(30))
  await ask('refresh/echo')
  await world.node.admin('/prices/refresh', { method: 'POST' })
  expect((await ask('refresh/echo')).tried).toEqual(['refresh resting'])
})

test('metrics report attempts and open breakers', async () => {
  const text = await (await world.node.metrics()).text()
  expect(text).toContain('turnpike_upstream_attempts_total{provider="refresh",result="status-429"} 1')
  expect(text).toContain('turnpike_upstream_attempts_total{provider="refresh",result="resting"} 1')
  expect(text).toContain('turnpike_upstreams{provider="refresh",state="open"} 1')
})
