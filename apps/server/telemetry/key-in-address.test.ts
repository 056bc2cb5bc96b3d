import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import {
  startGenerateNode,
  type GenerateNode,
} from '../../../tests/conformance/generate-content/generate-node.ts'
import { googleScript } from '../money/testing/billed-answers.ts'

/** Google's clients may put their key into the URL. Only the key lookup may see it. */

const model = 'gemini/gemini-3-flash'
const wrong = 'sk-turnpike-0123456789abcdefghijklmnop'
const usage = { promptTokenCount: 9, candidatesTokenCount: 4 }
const content = { contents: [{ parts: [{ text: 'Hello' }] }] }

/** What the collector of traces received. */
let traced = ''
const collector: Server = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => (traced += chunk.toString()))
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
})
let world: GenerateNode

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`
  world = await startGenerateNode({ telemetry: { access_log: true, traces: { url } } })
})
afterAll(async () => {
  await world.stop()
  collector.close()
})

async function ask(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; text: string; id: string }> {
  const response = await fetch(world.world.node.origin + path, init)
  const text = JSON.stringify([...response.headers]) + (await response.text())
  return { status: response.status, text, id: response.headers.get('x-request-id') ?? '' }
}

const post = (body: unknown = content): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Paths that are not served need no key. */
const isNowhere = (path: string, { method }: RequestInit): boolean =>
  path.startsWith('/v1beta/files') || method === 'PUT'

it.each([
  ['an answer', `/v1beta/models/${model}:generateContent?key=KEY`, post(), 200],
  ['an answer of the stable version', `/v1/models/${model}:generateContent?key=KEY`, post(), 200],
  ['a stream', `/v1beta/models/${model}:streamGenerateContent?alt=sse&key=KEY`, post(), 200],
  ['a list that streams', `/v1beta/models/${model}:streamGenerateContent?key=KEY`, post(), 200],
  ['a count', `/v1beta/models/${model}:countTokens?key=KEY`, post(), 200],
  ['the models', '/v1beta/models?key=KEY&pageSize=1', {}, 200],
  ['one model', `/v1beta/models/${model}?key=KEY`, {}, 200],
  ['a model that is not there', '/v1beta/models/none:generateContent?key=KEY', post(), 404],
  ['a path that is not there', '/v1beta/files?key=KEY', {}, 404],
  ['another method', `/v1beta/models/${model}:generateContent?key=KEY`, { method: 'PUT' }, 405],
  ['a wrong body', `/v1beta/models/${model}:generateContent?key=KEY`, post({ oh: 'no' }), 400],
  ['a wrong page', '/v1beta/models?key=KEY&pageToken=KEY', {}, 400],
])('%s does not expose the key', async (_what, path, init, status) => {
  const { node, vendor, key } = world.world
  const stream = path.includes('streamGenerate')
  for (const raw of [key.raw, wrong]) {
    world.next(googleScript([], usage, stream))
    const { status: answered, text } = await ask(path.replaceAll('KEY', raw), init)
    expect(answered).toBe(raw === key.raw || isNowhere(path, init) ? status : 401)
    expect(text).not.toContain(raw)
  }
  const seen = JSON.stringify(vendor.journal.entries.map(({ request }) => [request.path, request.headers]))
  const rows = JSON.stringify(await node.admin(`/accounts/${key.accountId}/usage/requests?limit=100`))
  const metrics = await (await node.metrics()).text()
  for (const raw of [key.raw, wrong])
    for (const place of [JSON.stringify(node.log), seen, rows, metrics, traced])
      expect(place).not.toContain(raw)
})

it("logs and traces contain the request's identifier", async () => {
  const { node, key } = world.world
  const { id } = await ask(`/v1beta/models/${model}:generateContent?key=${key.raw}`, post())
  await vi.waitFor(() => expect(traced).toContain(id), 20_000)
  await vi.waitFor(() => expect(JSON.stringify(node.log)).toContain(id), 20_000)
  expect(traced + JSON.stringify(node.log)).not.toContain(key.raw)
})

it.each([
  ['in the header of Google', '/v1beta/models', 'x-goog-api-key', ''],
  ['as a bearer', '/v1beta/models', 'authorization', 'Bearer '],
  ['in the header of Anthropic', '/v1beta/models', 'x-api-key', ''],
])('the key is also accepted %s', async (_what, path, header, before) => {
  const { status } = await ask(path, { headers: { [header]: before + world.world.key.raw } })
  expect(status).toBe(200)
})

it('no other path accepts a key in its URL', async () => {
  for (const path of ['/v1/models', '/v1/chat/completions', '/v1/messages'])
    expect(
      (await ask(`${path}?key=${world.world.key.raw}`, path === '/v1/models' ? {} : post())).status,
    ).toBe(401)
})
