import { UndiciUpstreamClient, type UpstreamCall } from '@turnpike/gateway'
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openaiSchemas } from '../../openai-schema.ts'
import { collect, type Collected } from '../testing/collect.ts'
import { LoadRequestReader } from './request.ts'
import { startLoadServer, type LoadServer } from './server.ts'

const client = new UndiciUpstreamClient()
const schemas = openaiSchemas()
let server: LoadServer

beforeAll(async () => {
  server = await startLoadServer({ events: 5, intervalMs: 5 })
})

afterAll(async () => {
  await client.close()
  await server.close()
})

function body(more: Record<string, unknown>): Buffer {
  return Buffer.from(
    JSON.stringify({ model: 'x', messages: [{ role: 'user', content: '"stream"' }], ...more }),
  )
}

const streamed = { stream: true, stream_options: { include_usage: true } }

function send(more: Record<string, unknown>, path: string = '', headers = {}): Promise<Collected> {
  return collect(client, {
    origin: server.origin,
    path: `${path}/v1/chat/completions`,
    body: body(more),
    headers: { 'content-type': 'application/json', ...headers },
  })
}

function eventsOf(result: Collected): string[] {
  return result.body.split('\n\n').slice(0, -1)
}

async function journal(): Promise<Record<string, number>> {
  const response = await fetch(`${server.origin}/journal`)
  return (await response.json()) as Record<string, number>
}

test('a plain answer has 1 KB and is valid', async () => {
  const result = await send({})
  expect(result.body).toHaveLength(1024)
  expect(schemas?.faultsOfCompletion(JSON.parse(result.body)) ?? []).toEqual([])
})

describe('streams', () => {
  test.each([
    [streamed, 3],
    [{ stream: true }, 2],
  ])('%j has all its events, finish and [DONE]', async (more, last) => {
    const events = eventsOf(await send(more))
    expect(events).toHaveLength(1 + 5 + last)
    expect(events.at(-1)).toBe('data: [DONE]')
    for (const event of events.slice(0, -1)) {
      const chunk: unknown = JSON.parse(event.slice('data: '.length))
      expect(schemas?.faultsOfChunk(chunk) ?? []).toEqual([])
      expect(event.includes('"usage":')).toBe(last === 3)
    }
    for (const event of events.slice(1, 6)) expect(event.length + 2).toBe(250)
  })

  test("are in Anthropic's format at its path, with content events of the same size", async () => {
    const path = '/x-sim-events/3/x-sim-interval-ms/1/v1/messages'
    const events = eventsOf(
      await collect(client, { origin: server.origin, path, body: body({ stream: true }) }),
    )
    expect(events.map((event) => /^event: (\w+)\ndata: \{/u.exec(event)?.[1])).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      ...Array.from({ length: 3 }, () => 'content_block_delta'),
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    for (const event of events.slice(3, 6)) expect(event.length + 2).toBe(250)
  })

  test('are shaped by header, query or path', async () => {
    expect(eventsOf(await send(streamed, '', { 'x-sim-events': '2' }))).toHaveLength(6)
    expect(eventsOf(await send(streamed, '/x-sim-events/0/x-sim-interval-ms/1'))).toHaveLength(4)
    const path = '/v1/chat/completions?x-sim-events=7'
    const result = await collect(client, { origin: server.origin, path, body: body(streamed) })
    expect(eventsOf(result)).toHaveLength(11)
  })

  test('keep their interval', async () => {
    const startedAt = performance.now()
    await send(streamed, '/x-sim-events/10/x-sim-interval-ms/20')
    const ms = performance.now() - startedAt
    expect(ms).toBeGreaterThan(190)
    expect(ms).toBeLessThan(600)
  })

  test('a silent one sends the role and then nothing; aborts are counted', async () => {
    const before = await journal()
    const onCall = (call: UpstreamCall): unknown => setTimeout(() => call.abort(new Error('enough')), 150)
    const result = await collect(client, {
      origin: server.origin,
      path: '/x-sim-silent/1/v1/chat/completions',
      body: body(streamed),
      onCall: (call) => void onCall(call),
    })
    expect(eventsOf(result)).toHaveLength(1)
    await sleep(50)
    const after = await journal()
    expect(after.streamsAborted! - before.streamsAborted!).toBe(1)
    expect(after.streamsOpen).toBe(0)
    expect(after.streamsCompleted).toBe(before.streamsCompleted)
  })

  test('all end if many run at once', async () => {
    const before = server.counters.streamsCompleted
    const results = await Promise.all(Array.from({ length: 60 }, () => send({ stream: true })))
    for (const result of results) expect(eventsOf(result)).toHaveLength(8)
    expect(server.counters.streamsCompleted - before).toBe(60)
  })
})

test('reads requests that are split at any byte, chunked or pipelined', () => {
  const text =
    'POST /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello' +
    'POST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n' +
    'GET /c HTTP/1.1\r\nhost: x\r\n\r\n'
  const expected = [
    ['POST', '/a', 'hello'],
    ['POST', '/b', 'abcde'],
    ['GET', '/c', ''],
  ]
  for (let at = 0; at <= text.length; at++) {
    const reader = new LoadRequestReader()
    const pieces = [Buffer.from(text.slice(0, at)), Buffer.from(text.slice(at))]
    const requests = pieces.flatMap((piece) => reader.push(piece))
    expect(requests.map(({ method, path, body }) => [method, path, body.toString()])).toEqual(expected)
  }
})

test('the program prints its port as a line of JSON', async () => {
  const program = spawn(process.execPath, [
    fileURLToPath(new URL('server.ts', import.meta.url)),
    '--port',
    '0',
  ])
  const line = await new Promise<string>((resolve) =>
    program.stdout.once('data', (bytes) => resolve(String(bytes))),
  )
  const { port } = JSON.parse(line) as { port: number }
  await new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.end()
      resolve()
    }).once('error', reject)
  })
  program.kill()
})
