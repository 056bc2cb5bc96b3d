import { UndiciUpstreamClient } from '@turnpike/gateway'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collect } from './testing/collect.ts'
import { startVendorServer, type VendorServer } from './http-server.ts'
import type { PathPlan } from './plan.ts'
import { allRecordings, type RecordedCase } from './recordings.ts'
import { wireBytes } from './reframe.ts'

const recordings = allRecordings()
const cases = recordings.cases
const seed = Date.now() % 1_000_000

describe('framing', () => {
  test.each([
    ['sse-payload-lines', 'chat', '{"a":1}\n', 'data: {"a":1}\n\ndata: [DONE]\n\n'],
    ['sse-payload-lines', 'chat', '{"a":1}\n[DONE]', 'data: {"a":1}\n\ndata: [DONE]\n\n'],
    ['sse-payload-lines', 'messages', '{"type":"ping"}', 'event: ping\ndata: {"type":"ping"}\n\n'],
    ['sse-payload-lines', 'generateContent', '{"a":1}', 'data: {"a":1}\r\n\r\n'],
    ['events-json', 'responses', '[{"type":"x"}]', 'event: x\ndata: {"type":"x"}\n\n'],
    ['sse-raw', 'chat', 'data: 1\r\n\r\n', 'data: 1\r\n\r\n'],
    ['json', 'chat', '{ }', '{ }'],
  ] as const)('%s of %s: %j', (form, api, stored, wire) => {
    expect(wireBytes(form, api, Buffer.from(stored)).toString()).toBe(wire)
  })
})

describe('recorded cases', () => {
  const client = new UndiciUpstreamClient()
  let server: VendorServer

  beforeAll(async () => {
    console.log(`seed of the splits: ${seed}`)
    server = await startVendorServer({ cases: recordings })
  })

  afterAll(async () => {
    await client.close()
    await server.close()
  })

  const replay = (plan: PathPlan): ReturnType<typeof collect> => {
    const path = `${new URL(server.baseUrl(plan)).pathname}/chat/completions`
    return collect(client, { origin: server.origin, path, body: Buffer.from('{}') })
  }

  test('finds all of them, and stored bodies are what was recorded', () => {
    expect(cases.length).toBeGreaterThan(recordings.areReal ? 300 : 20)
    for (const one of cases) {
      const { response } = JSON.parse(readFileSync(one.files.case, 'utf8')) as {
        response?: { sha256?: string }
      }
      if (response?.sha256 === undefined) continue
      const digest = createHash('sha256').update(readFileSync(one.files.response)).digest('hex')
      expect(digest, one.id).toBe(response.sha256)
    }
    for (const id of ['nothing', 'parity-simpleRequestTruncated-chat-completions'])
      expect(() => recordings.get(id)).toThrow(/No recorded case/u)
  })

  test('every case survives random splits byte for byte', { timeout: 120_000 }, async () => {
    const check = async (one: RecordedCase, index: number): Promise<void> => {
      const bytes = recordings.response(one.id)
      const meanBytes = Math.max(3, Math.ceil(bytes.length / 60))
      const result = await replay({ case: one.id, split: { seed: seed + index, meanBytes } })
      expect(result.error, one.id).toBeUndefined()
      expect(Buffer.concat(result.chunks).equals(bytes), `${one.id}, seed ${seed + index}`).toBe(true)
      expect(result.status).toBe(one.status)
    }
    const workers = Array.from({ length: 8 }, async (_, worker) => {
      for (let index = worker; index < cases.length; index += 8) await check(cases[index]!, index)
    })
    await Promise.all(workers)
  })

  test('a case can be cut at a part of its bytes, by a break or cleanly', async () => {
    const one = cases.find((recorded) => recorded.api === 'chat' && recorded.form === 'sse-raw')!
    const whole = recordings.response(one.id)
    const half = whole.subarray(0, Math.floor(whole.length / 2))
    const broken = await replay({ case: one.id, fault: { kind: 'reset', at: 0.5 } })
    expect(broken.error).toMatchObject({ reason: 'connection-lost' })
    expect(Buffer.concat(broken.chunks)).toEqual(half)
    const closed = await replay({ case: one.id, fault: { kind: 'close', at: 0.5 } })
    expect(closed.order.at(-1)).toBe('onEnd')
    expect(Buffer.concat(closed.chunks)).toEqual(half)
  })

  test('a case can be queued, and its request can be read', async () => {
    const one = cases.find((recorded) => recorded.files.request !== undefined)!
    server.next({ case: one.id })
    const origin = server.origin
    const result = await collect(client, { origin, body: recordings.request(one.id)! })
    expect(Buffer.concat(result.chunks)).toEqual(recordings.response(one.id))
  })

  test('recorded headers are replayed, except those of the connection', async () => {
    const one = cases.find((recorded) => recorded.features.includes('hdr:x-ratelimit'))!
    const result = await replay({ case: one.id })
    expect(Object.keys(result.headers)).toEqual(expect.arrayContaining(['x-ratelimit-limit-requests']))
    expect(result.headers).not.toHaveProperty('content-encoding')
  })

  test('an unknown case breaks the connection, so that a mistyped id is noticed', async () => {
    expect((await replay({ case: 'nothing' })).error).toBeDefined()
  })
})
