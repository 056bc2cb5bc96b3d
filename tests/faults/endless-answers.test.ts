import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import { suiteKey, suiteNode } from '../nodes/suite.ts'

/* A vendor whose answer never ends must not use up the credit or the memory. */

const contextLength = 20_000
const bound = 1_000
const mostVendorBytes = 200 * 1024 * 1024
const pieceBytes = 64 * 1024

let server: Server
let next: (count: number) => string
let begun: string
let sentBytes = 0

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume()
    request.on('end', () => goOn(response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    server.close()
  }
})
const node = suiteNode(() => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const model = {
    pricing: { prompt: '0.000001', completion: '0.000002' },
    context_length: contextLength,
    max_output_tokens: 8_000,
  }
  return {
    providers: {
      chat: { style: 'openai', base_url: `${origin}/v1`, api_keys: ['k'] },
      gemini: { style: 'google', base_url: `${origin}/v1beta`, api_keys: ['k'] },
      house: { style: 'openai-responses', base_url: `${origin}/v1`, api_keys: ['k'] },
    },
    models: { 'chat/m': model, 'gemini/m': model, 'house/m': model },
  }
})
const key = suiteKey(node, { creditUsd: '1000' })

function goOn(response: ServerResponse): void {
  sentBytes = 0
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  Readable.from(pieces()).pipe(response)
}

function* pieces(): Generator<string> {
  yield begun
  for (let count = 0; sentBytes < mostVendorBytes;) {
    let piece = ''
    while (piece.length < pieceBytes) piece += next(count++)
    sentBytes += piece.length
    yield piece
  }
}

const event = (body: object): string => `data: ${JSON.stringify(body)}\n\n`
const chunk = (content: string): string => event({ id: 'c', choices: [{ index: 0, delta: { content } }] })
const candidate = (index: number): string =>
  event({ candidates: [{ index, content: { role: 'model', parts: [{ text: 'x' }] } }] })
const created = event({ type: 'response.created', sequence_number: 0, response: { id: 'r', model: 'm' } })
const item = (index: number, more: object): string =>
  event({ type: 'response.output_item.done', output_index: index, item: { id: `i${index}`, ...more } })
const message = (text: string): object => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const words = 'word '.repeat(600)

const chatBody = (model: string): object => ({
  model,
  stream: true,
  max_tokens: bound,
  messages: [{ role: 'user', content: 'x' }],
})
const responsesBody = (model: string): object => ({
  model,
  stream: true,
  max_output_tokens: bound,
  input: 'x',
})

test.each<[string, string, object, string, (count: number) => string]>([
  ['text, to chat', '/v1/chat/completions', chatBody('chat/m'), chunk('Yes'), () => chunk(words)],
  ['text, to Responses', '/v1/responses', responsesBody('chat/m'), chunk('Yes'), () => chunk(words)],
  ['items of text', '/v1/responses', responsesBody('house/m'), created, (at) => item(at, message(words))],
  [
    'items of an unknown type',
    '/v1/responses',
    responsesBody('house/m'),
    created,
    () => item(1, { type: 'new', blob: 'x'.repeat(100_000) }),
  ],
  ['candidates', '/v1/chat/completions', chatBody('gemini/m'), candidate(0), (at) => candidate(at + 1)],
])('cuts off an endless answer: %s', async (_what, path, body, first, following) => {
  begun = first
  next = following
  const response = await node.postTo(key, path, body)
  const text = await response.text()
  expect(text.slice(-2_000)).toMatch(/"error":|response\.failed/u)
  const id = response.headers.get('x-request-id')!
  const row = await node.admin<{ outcome: string; tokens_out: number }>(
    `/accounts/${key.accountId}/usage/requests/${id}`,
  )
  expect(row.outcome).toBe('upstream_cut')
  expect(row.tokens_out).toBeLessThanOrEqual(contextLength + bound)
  expect(sentBytes).toBeLessThan(mostVendorBytes)
})
