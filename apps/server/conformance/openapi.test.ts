import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNode, type TestKey, type TestNode } from '../testing/test-node.ts'

/* What the compatible surface answers, held to what /openapi.json says of it. */

let node: TestNode
let key: TestKey
let ajv: Ajv2020

beforeAll(async () => {
  node = await startTestNode()
  key = await node.createKey()
  const document = (await (await fetch(`${node.origin}/openapi.json`)).json()) as object
  ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema(document, 'openapi')
})
afterAll(() => node.stop())

function misfit(schema: string, value: unknown): string {
  const fits = ajv.validate({ $ref: `openapi#/components/schemas/${schema}` }, value)
  return fits ? '' : ajv.errorsText()
}

function get(path: string, raw: string = key.raw): Promise<Response> {
  return fetch(`${node.origin}${path}`, { headers: { authorization: `Bearer ${raw}` } })
}

const question = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello' }] }

test('the list of models, and one of them', async () => {
  const { data } = (await (await get('/v1/models')).json()) as { data: { id: string }[] }
  expect(data.length).toBeGreaterThan(0)
  for (const model of data) expect([model.id, misfit('Model', model)]).toEqual([model.id, ''])
  expect(misfit('Model', await (await get('/v1/models/sandbox/echo')).json())).toBe('')
})

test('an answer and its headers', async () => {
  const answer = await node.chat(key, question)
  expect(answer.status).toBe(200)
  expect(misfit('ChatCompletion', await answer.json())).toBe('')
  for (const name of ['x-request-id', 'x-turnpike-model', 'x-turnpike-provider', 'x-turnpike-attempts'])
    expect([name, answer.headers.has(name)]).toEqual([name, true])
  expect(misfit('ChatCompletionRequest', question)).toBe('')
})

test('the chunks of a stream', async () => {
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
])('the error %s', async (_, send, status) => {
  const answer = await send()
  expect(answer.status).toBe(status)
  expect(misfit('Error', await answer.json())).toBe('')
})
