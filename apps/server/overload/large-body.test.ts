import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode } from '../../../tests/nodes/suite.ts'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'

const models = {
  'vendor/dear': { pricing: { prompt: '0.000001', completion: '0.000001' } },
}
const providers = {
  vendor: { style: 'openai' as const, base_url: 'http://127.0.0.1:9/v1' },
  sandbox: false as const,
}
const freeModel = { 'vendor/free': { pricing: { prompt: '0', completion: '0' } } }

/** A request of which only the head is sent. */
async function headOnly(node: TestNode, key: TestKey, framing: string): Promise<Socket> {
  const { host, port } = new URL(node.origin)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key.raw}\r\n` +
      `content-type: application/json\r\n${framing}\r\n\r\n`,
  )
  return socket
}

async function firstAnswer(socket: Socket): Promise<string> {
  const text = String((await once(socket, 'data'))[0])
  socket.destroy()
  return text
}

async function statusOf(answer: Promise<Response>): Promise<number> {
  const response = await answer
  await response.text()
  return response.status
}

describe.each(databases())('a large body on $engine', ({ create }) => {
  const database = suiteDatabase(create)
  const node = suiteNode({ providers, models }, { database })
  const withFree = suiteNode({ providers, models: { ...models, ...freeModel } })

  it.each(['content-length: 30000000', 'transfer-encoding: chunked'])(
    'is not read if the key has no credit (%s)',
    async (framing) => {
      const key = await node.createKey({ creditUsd: '0' })
      const answer = await firstAnswer(await headOnly(node, key, framing))
      expect(answer).toMatch(/^HTTP\/1\.1 402 /)
      expect(answer).toContain('"type":"insufficient_quota"')
      expect(answer).toContain('credit of 0 USD')
    },
  )

  it('is read again once the key has credit', async () => {
    const key = await node.createKey({ creditUsd: '0' })
    expect(await firstAnswer(await headOnly(node, key, 'content-length: 100000'))).toMatch(/^HTTP\/1\.1 402 /)
    const reference = `test:${key.id}`
    await node.storage.ledger.move(
      {
        accountId: key.accountId,
        keyId: key.id,
        kind: 'grant',
        amountPico: 10n ** 12n,
        reference,
        reason: 'x',
      },
      Date.now(),
    )
    expect(await statusOf(node.chat(key, `{"x":"${'y'.repeat(100_000)}"}`))).toBe(400)
  })

  it('is read up to a size for a key without credit if a model is free', async () => {
    const key = await withFree.createKey({ creditUsd: '0' })
    const body = (bytes: number): string => `{"model":"vendor/none","messages":[],"x":"${'y'.repeat(bytes)}"}`
    expect(await statusOf(withFree.chat(key, body(200_000)))).toBe(400)
    expect(await firstAnswer(await headOnly(withFree, key, 'content-length: 9000000'))).toMatch(
      /^HTTP\/1\.1 402 /,
    )
    const other = await withFree.createKey({ creditUsd: '0', allowedModels: ['vendor/dear'] })
    expect(await firstAnswer(await headOnly(withFree, other, 'content-length: 100000'))).toMatch(
      /^HTTP\/1\.1 402 /,
    )
  })
})

describe('the size of a body in the burst of its key', () => {
  const node = suiteNode({
    limits: { burst_per_key_per_second: 5, burst_body_bytes: 100_000, tiers: { free: {} } },
  })

  const body = (bytes: number): string => `{"x":"${'y'.repeat(bytes)}"}`

  it.each([
    ['announced', (text: string): RequestInit['body'] => text],
    ['in chunks', (text: string): RequestInit['body'] => new Blob([text]).stream()],
  ])('makes the next requests wait (%s)', async (_how, framed) => {
    const key = await node.createKey()
    const ask = (bytes: number): Promise<Response> =>
      fetch(`${node.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.raw}`, 'content-type': 'application/json' },
        body: framed(body(bytes)),
        duplex: 'half',
      } as RequestInit)
    expect(await statusOf(ask(2_000_000))).toBe(400)
    const refused = await ask(10)
    expect([refused.status, await refused.text()]).toEqual([429, expect.any(String)])
    // The body counts as 21 requests, of which 5 drain per second, until one of five is free.
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(3)
    const another = await node.createKey()
    expect(await statusOf(node.chat(another, body(10)))).toBe(400)
  })

  it('does not count if it is small', async () => {
    const key = await node.createKey()
    for (let count = 0; count < 5; count++) expect(await statusOf(node.chat(key, body(90_000)))).toBe(400)
    expect(await statusOf(node.chat(key, body(10)))).toBe(429)
  })

  it('admits only one of many large bodies at once', async () => {
    const key = await node.createKey()
    const statuses = await Promise.all(
      Array.from({ length: 10 }, () => statusOf(node.chat(key, body(1_000_000)))),
    )
    expect(statuses.filter((status) => status === 400)).toHaveLength(1)
    expect(statuses.filter((status) => status === 429)).toHaveLength(9)
  })
})
