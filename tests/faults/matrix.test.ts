import { randomUUID } from 'node:crypto'
import type { LedgerVerification } from '@turnpike/billing'
import { afterAll, describe, expect, test } from 'vitest'
import {
  chunksOf,
  costOf,
  hello,
  startFaultNode,
  textOf,
  texts,
  type FaultNode,
  type Row,
} from './fault-node.ts'
import { faults, type Fault } from './fault-table.ts'
import { after } from './faulty-vendor.ts'
import { suiteWorld } from '../nodes/suite.ts'

/*
 * Tests each fault, plain and streamed: without another candidate, with another upstream, and with another
 * model. Also for embeddings, which have no fallback to another model.
 */

const failingPrice = { prompt: '0.000009', completion: '0.000027' }
const secondPrice = { prompt: '0.000002', completion: '0.000005' }
const fallbackPrice = { prompt: '0.000001', completion: '0.000004' }

const vectors = { pricing: failingPrice, operations: ['embed' as const] }

const misbehaviours = new Map(
  faults.flatMap(({ name, misbehaviour }) => (misbehaviour === undefined ? [] : [[name, misbehaviour]])),
)
// Cuts after the head, the role and two tokens.
misbehaviours.set('cut after a token', after(560, 'reset'))
const names = [...faults.map(({ name }) => name), 'cut after a token']
const world = await suiteWorld(
  startFaultNode(misbehaviours, (urlOf) => ({
    providers: {
      good: { style: 'openai', base_url: urlOf('good') },
      ...Object.fromEntries(
        names.map((name) => [
          idOf(name),
          {
            style: 'openai',
            base_url: misbehaviours.has(name) ? urlOf(name) : 'http://127.0.0.1:9/v1',
            upstream: { connect_seconds: 1, first_byte_seconds: 0.4, idle_seconds: 0.4, total_seconds: 8 },
          },
        ]),
      ),
    },
    models: {
      'good/echo': { pricing: fallbackPrice },
      ...Object.fromEntries(
        names.flatMap((name) => {
          const failing = { provider: idOf(name), model: 'echo' }
          const second = { provider: 'good', model: 'second', pricing: secondPrice }
          return [
            [`${idOf(name)}/one`, { pricing: failingPrice, upstreams: [failing] }],
            [`${idOf(name)}/two`, { pricing: failingPrice, upstreams: [failing, second] }],
            [
              `${idOf(name)}/fallback`,
              { pricing: failingPrice, upstreams: [failing], fallbacks: ['good/echo'] },
            ],
            [`${idOf(name)}/vectors`, { ...vectors, upstreams: [failing] }],
            [`${idOf(name)}/vectors-two`, { ...vectors, upstreams: [failing, second] }],
          ]
        }),
      ),
    },
  })),
)

afterAll(async () => {
  const verified = await world.node.admin<LedgerVerification>('/ledger/verify')
  expect(verified).toMatchObject({ ok: true, differences: [] })
})

function idOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

const ways = [
  ['plain', false],
  ['streamed', true],
] as const
const cases = faults.flatMap((fault) =>
  ways
    .filter(([, stream]) => !stream || fault.plainOnly !== true)
    .map(([way, stream]) => ({ name: fault.name, way, stream, fault })),
)

describe.concurrent('one upstream', () => {
  test.each(cases)('$name, $way', async ({ fault, stream }) => {
    const user = randomUUID()
    const asked = { model: `${idOf(fault.name)}/one`, stream, user, temperature: 0.25 }
    const { response, body, row } = await world.ask(asked)
    expect(response.status).toBe(fault.alone.status)
    expectOriginal(user, fault, asked, 0)
    expect(row.attempts.map(({ result }) => result)).toEqual([fault.result])
    if (fault.alone.status === 200) return expectServed(fault, 'one', { response, body, row })
    expect(JSON.parse(body)).toMatchObject({
      error: { type: fault.alone.type, code: fault.alone.status },
    })
    expect(response.headers.get('retry-after')).toBe(fault.alone.retryAfter ?? null)
    expect(response.headers.get('x-turnpike-attempts')).toBe('1')
    expect(row).toMatchObject({
      outcome: 'failed',
      status: fault.alone.status,
      cost_usd: '0',
      model_served: null,
      tokens_in: 0,
      tokens_out: 0,
    })
  })
})

describe.concurrent.each(['two', 'fallback'] as const)('%s', (kind) => {
  test.each(cases)('$name, $way', async ({ fault, stream }) => {
    const user = randomUUID()
    const asked = { model: `${idOf(fault.name)}/${kind}`, stream, user, temperature: 0.25 }
    const answered = await world.ask(asked)
    expect(answered.response.status).toBe(200)
    expectServed(fault, kind, answered)
    expectOriginal(user, fault, asked, fault.result === 'ok' ? 0 : 1)
  })
})

/** Expects that the upstream that served is named and charged; the failed one is only in the attempts. */
function expectServed(
  fault: Fault,
  kind: 'one' | 'two' | 'fallback',
  { response, body, row }: Awaited<ReturnType<FaultNode['ask']>>,
): void {
  const bad = idOf(fault.name)
  const served = { one: `${bad}/one`, two: `${bad}/two`, fallback: 'good/echo' }[kind]
  const fell = fault.result !== 'ok'
  const model = fell ? served : `${bad}/${kind}`
  const price = fell ? { one: failingPrice, two: secondPrice, fallback: fallbackPrice }[kind] : failingPrice
  expect(textOf(body)).toBe('one two three')
  expect(response.headers.get('x-turnpike-model')).toBe(model)
  expect(response.headers.get('x-turnpike-provider')).toBe(fell ? 'good' : bad)
  expect(row).toMatchObject({ outcome: 'completed', status: 200, model_served: model })
  expect(row.tokens_in).toBeGreaterThan(0)
  expect(row.cost_usd).toBe(costOf(row, price))
  const failed = { provider: bad, model: 'echo', result: fault.result }
  const good = { provider: 'good', model: kind === 'two' ? 'second' : 'echo', status: 200, result: 'ok' }
  expect(row.attempts).toMatchObject(fell ? [failed, good] : [{ ...failed, status: 200 }])
  const tried = fell
    ? `2;tried="${bad}/echo ${fault.result} \\d+\\.\\d{3}s, good/${good.model} ok \\d+\\.\\d{3}s"`
    : '1'
  expect(response.headers.get('x-turnpike-attempts')).toMatch(new RegExp(`^${tried}$`))
}

/** Expects that each upstream was called once, with the caller's own words except for the model's name. */
function expectOriginal(user: string, fault: Fault, asked: Record<string, unknown>, others: number): void {
  const calls = world.callsOf(user)
  expect(calls).toHaveLength((fault.misbehaviour === undefined ? 0 : 1) + others)
  for (const { request } of calls) {
    const {
      model,
      stream_options: _asked,
      ...rest
    } = JSON.parse(request.body.toString()) as Record<string, unknown>
    const { model: _model, ...said } = asked
    expect(rest).toEqual({ messages: hello, ...said })
    expect(['echo', 'second']).toContain(model)
  }
}

describe.concurrent('embeddings', () => {
  test.each(faults)('$name, one upstream', async (fault) => {
    const user = randomUUID()
    const { response, body, row } = await world.embed({ model: `${idOf(fault.name)}/vectors`, user })
    expect(response.status).toBe(fault.alone.status)
    expect(world.callsOf(user)).toHaveLength(fault.misbehaviour === undefined ? 0 : 1)
    expect(row.attempts.map(({ result }) => result)).toEqual([fault.result])
    if (fault.alone.status === 200) return expectVectors(body, row, failingPrice)
    expect(JSON.parse(body)).toMatchObject({ error: { type: fault.alone.type, code: fault.alone.status } })
    expect(response.headers.get('retry-after')).toBe(fault.alone.retryAfter ?? null)
    expect(row).toMatchObject({ outcome: 'failed', status: fault.alone.status, cost_usd: '0', tokens_in: 0 })
  })

  test.each(faults)('$name, another upstream', async (fault) => {
    const user = randomUUID()
    const { response, body, row } = await world.embed({ model: `${idOf(fault.name)}/vectors-two`, user })
    expect(response.status).toBe(200)
    const fell = fault.result !== 'ok'
    expect(row.attempts.map(({ result }) => result)).toEqual(fell ? [fault.result, 'ok'] : ['ok'])
    expectVectors(body, row, fell ? secondPrice : failingPrice)
  })
})

/** Expects all vectors, counted once, at the price of the upstream that returned them. */
function expectVectors(body: string, row: Row, price: { prompt: string; completion: string }): void {
  const { data } = JSON.parse(body) as { data: { index: number; embedding: number[] }[] }
  expect(data.map(({ index }) => index)).toEqual(texts.map((_, index) => index))
  expect(row).toMatchObject({ outcome: 'completed', status: 200, tokens_out: 0 })
  expect(row.tokens_in).toBeGreaterThan(0)
  expect(row.cost_usd).toBe(costOf(row, price))
}

describe.concurrent('after the first token', () => {
  test.each(['one', 'two', 'fallback'])('no other candidate is tried: %s', async (kind) => {
    const user = randomUUID()
    const { response, body, row } = await world.ask({
      model: `cut-after-a-token/${kind}`,
      stream: true,
      user,
    })
    expect(response.status).toBe(200)
    expect(chunksOf(body).at(-1)).toMatchObject({ error: { type: 'upstream_error', code: 502 } })
    expect(body).not.toContain('[DONE]')
    expect(textOf(body)).toMatch(/^one( two)?$/)
    expect(row).toMatchObject({
      outcome: 'upstream_cut',
      attempts: [{ provider: 'cut-after-a-token', status: 200, result: 'connection-lost' }],
    })
    expect(row.cost_usd).toBe(costOf(row, failingPrice))
    expect(world.callsOf(user)).toHaveLength(1)
  })
})
