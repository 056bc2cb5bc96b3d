import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, expect, test } from 'vitest'
import { suiteKey, suiteNode } from '../nodes/suite.ts'

/* Compares the compatible API's responses with /openapi.json. */

interface Operation {
  responses: Record<string, { headers?: Record<string, { required?: boolean }> }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
}

let ajv: Ajv2020
let document: Document

const node = suiteNode()
const key = suiteKey(node)
beforeAll(async () => {
  document = (await (await fetch(`${node.origin}/openapi.json`)).json()) as Document
  ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema(document, 'openapi')
})

function misfit(schema: string, value: unknown): string {
  const fits = ajv.validate({ $ref: `openapi#/components/schemas/${schema}` }, value)
  return fits ? '' : ajv.errorsText()
}

function get(path: string, raw: string = key.raw): Promise<Response> {
  return fetch(`${node.origin}${path}`, { headers: { authorization: `Bearer ${raw}` } })
}

const question = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello' }] }

test('the list of models, and one of them, match the document', async () => {
  const { data } = (await (await get('/v1/models')).json()) as { data: { id: string }[] }
  expect(data.length).toBeGreaterThan(0)
  for (const model of data) expect([model.id, misfit('Model', model)]).toEqual([model.id, ''])
  expect(misfit('Model', await (await get('/v1/models/sandbox/echo')).json())).toBe('')
})

test('an answer and its headers match the document', async () => {
  const answer = await node.chat(key, question)
  expect(answer.status).toBe(200)
  expect(misfit('ChatCompletion', await answer.json())).toBe('')
  for (const name of ['x-request-id', 'x-turnpike-model', 'x-turnpike-provider', 'x-turnpike-attempts'])
    expect([name, answer.headers.has(name)]).toEqual([name, true])
  expect(misfit('ChatCompletionRequest', question)).toBe('')
})

/** Headers that every HTTP response has, and that the document does not list. */
const usual = /^(content-(type|length)|date|connection|keep-alive|transfer-encoding|access-control-.*|vary)$/

/** Headers that are not described, and described ones that are missing. */
function oddHeaders(answer: Response, path: string): string[] {
  const { headers = {} } = document.paths[path]!['post']!.responses['200']!
  const undescribed = [...answer.headers.keys()].filter((name) => !usual.test(name) && !(name in headers))
  // A reference means the request identifier, which every response has.
  const missing = Object.entries(headers).filter(
    ([name, { required }]) => required === true && !answer.headers.has(name),
  )
  return [...undescribed, ...missing.map(([name]) => `no ${name}`)]
}

const message = { ...question, max_tokens: 50 }
const anthropics = { 'anthropic-version': '2023-06-01' }

function post(path: string, body: object): Promise<Response> {
  const headers = { 'x-api-key': key.raw, 'content-type': 'application/json', ...anthropics }
  return fetch(`${node.origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

test("messages, counts and models in Anthropic's format match the document, with their headers", async () => {
  const answer = await post('/v1/messages', message)
  expect(oddHeaders(answer, '/v1/messages')).toEqual([])
  expect(misfit('Message', await answer.json())).toBe('')
  const count = await post('/v1/messages/count_tokens', question)
  expect(oddHeaders(count, '/v1/messages/count_tokens')).toEqual([])
  expect(misfit('TokenCount', await count.json())).toBe('')
  const headers = { 'x-api-key': key.raw, ...anthropics }
  const page = await fetch(`${node.origin}/v1/models?limit=2`, { headers })
  const { data } = (await page.json()) as { data: object[] }
  expect(data).toHaveLength(2)
  for (const model of data) expect(misfit('AnthropicModel', model)).toBe('')
})

test('a chat completion has exactly the described headers', async () => {
  expect(oddHeaders(await node.chat(key, question), '/v1/chat/completions')).toEqual([])
  const routed = await node.chat(key, { ...question, model: 'auto' })
  expect(oddHeaders(routed, '/v1/chat/completions')).toEqual([])
})

test('every path accepts exactly the described methods', async () => {
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/v1/'))
  expect(paths.map(([path]) => path)).toEqual([
    '/v1/chat/completions',
    '/v1/messages',
    '/v1/messages/count_tokens',
    '/v1/responses',
    '/v1/responses/input_tokens',
    '/v1/responses/compact',
    '/v1/responses/{response_id}',
    '/v1/responses/{response_id}/input_items',
    '/v1/completions',
    '/v1/embeddings',
    '/v1/rerank',
    '/v1/moderations',
    '/v1/models',
    '/v1/models/{model}',
  ])
  for (const [path, methods] of paths) {
    const url = node.origin + path.replace('{model}', 'sandbox/echo').replace('{response_id}', 'resp_1')
    const answer = await fetch(url, { method: 'PUT', headers: { authorization: `Bearer ${key.raw}` } })
    const described = Object.keys(methods).map((method) => method.toUpperCase())
    if (described.includes('GET')) described.push('HEAD')
    const allowed = answer.headers.get('allow')?.split(', ').toSorted()
    expect([path, answer.status, allowed]).toEqual([path, 405, described.toSorted()])
  }
})

test('the chunks of a stream match the document', async () => {
  const answer = await node.chat(key, { ...question, stream: true, stream_options: { include_usage: true } })
  const events = [...(await answer.text()).matchAll(/^data: (.*)$/gm)].map(([, data]) => data!)
  expect(events.at(-1)).toBe('[DONE]')
  expect(events.length).toBeGreaterThan(3)
  for (const event of events.slice(0, -1)) expect(misfit('ChatCompletionChunk', JSON.parse(event))).toBe('')
})

test.each([
  ['401', () => get('/v1/models', 'sk-turnpike-wrong'), 401],
  ['404', () => node.chat(key, { ...question, model: 'no/such-model' }), 404],
  ['400', () => node.chat(key, { ...question, messages: 'Hello' }), 400],
  ['402', async () => node.chat(await node.createKey({ creditUsd: '0' }), question), 402],
  ['405', () => get('/v1/chat/completions'), 405],
  ['401 of a user token', () => get('/api/v1/me', 'x.y.z'), 401],
  ['401 of the internal secret', () => get('/api/v1/admin/accounts'), 401],
])('the error %s matches the document', async (_, send, status) => {
  const answer = await send()
  expect(answer.status).toBe(status)
  expect(misfit('Error', await answer.json())).toBe('')
})
