import { describe, expect, test } from 'vitest'
import { startFaultNode } from '../faults/fault-node.ts'
import { refusal } from '../faults/faulty-vendor.ts'
import { suiteWorld } from '../nodes/suite.ts'

/** References in a caller's request are not read with the operator's credential, by any vendor's path. */

const pricing = { prompt: '0.000001', completion: '0.000002' }
const styles = ['openai', 'anthropic', 'google', 'mistral', 'deepseek'] as const
const allowed = ['gs://samples/', 'files/', 'file-1', 'cachedContents/', 'http://10.0.0.7/']

// Each vendor answers 418, so that the test sees what reached it.
const teapots = new Map(
  styles.map((style) => [style as string, refusal(418, { error: { message: 'called' } })]),
)
for (const style of styles) teapots.set(`${style}-open`, teapots.get(style)!)
const world = await suiteWorld(
  startFaultNode(teapots, (urlOf) => ({
    providers: Object.fromEntries(
      styles.flatMap((style) => [
        [style, { style, base_url: urlOf(style), api_keys: ['k'] }],
        [
          `${style}-open`,
          { style, base_url: urlOf(`${style}-open`), api_keys: ['k'], allowed_references: allowed },
        ],
      ]),
    ),
    models: Object.fromEntries(
      styles.flatMap((style) => [style, `${style}-open`]).map((name) => [`${name}/m`, { pricing }]),
    ),
  })),
)

async function refusedField(model: string, body: object): Promise<string | null> {
  const before = world.vendor.journal.entries.length
  const response = await world.node.chat(world.key, {
    model,
    messages: [{ role: 'user', content: 'x' }],
    ...body,
  })
  const { error } = (await response.json()) as { error: { param: string | null; code: number } }
  const called = world.vendor.journal.entries.length - before
  if (called > 0) return null
  expect([response.status, error.code]).toEqual([400, 400])
  return error.param
}

const part = (content: object): object => ({ messages: [{ role: 'user', content: [content] }] })
const image = (url: string): object => part({ type: 'image_url', image_url: { url } })
const file = (fileId: string): object => part({ type: 'file', file: { file_id: fileId } })
const field = 'messages[0].content[0]'
const hello = { role: 'user', content: 'x' }

describe.each(styles)('at a vendor of the style %s', (style) => {
  test.each<[string, object, string]>([
    ['a file', file('file-1'), `${field}.file.file_id`],
    ['a bucket', image('gs://samples/a.png'), `${field}.image_url.url`],
    [
      'a file in the instructions',
      { messages: [{ role: 'system', content: 'fileid://file-fe-1' }, hello] },
      'messages[0].content',
    ],
    [
      'Google’s files',
      image('https://generativelanguage.googleapis.com/v1beta/files/a'),
      `${field}.image_url.url`,
    ],
    ['a cache', { cached_content: 'cachedContents/1' }, 'cached_content'],
    [
      'a nested cache',
      { extra_body: { google: { cached_content: 'c' } } },
      'extra_body.google.cached_content',
    ],
    ['an earlier answer', { previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['a container', { container: 'c' }, 'container'],
    [
      'a search',
      { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
      'tools[0].vector_store_ids[0]',
    ],
  ])('refuses %s before a call', async (_what, body, param) => {
    expect(await refusedField(`${style}/m`, body)).toBe(param)
    expect(await refusedField(`${style}/m`, { ...body, stream: true })).toBe(param)
  })

  test('does not pass on an address in the operator’s network', async () => {
    const param = await refusedField(`${style}/m`, image('http://169.254.169.254/latest/'))
    expect(param).toBe(`${field}.image_url.url`)
  })
})

test.each<[(typeof styles)[number], object]>([
  ['openai', file('file-1')],
  ['openai', image('gs://samples/a.png')],
  ['openai', image('http://10.0.0.7/a.png')],
  ['openai', { cached_content: 'cachedContents/1' }],
  ['anthropic', file('file-1')],
  ['google', file('files/abc')],
  ['google', image('gs://samples/a.png')],
  ['google', { cached_content: 'cachedContents/1' }],
])('%s: passes on what the configuration allows: %j', async (style, body) => {
  expect(await refusedField(`${style}-open/m`, body)).toBeNull()
})

test("holds the model's whole context for input of unknown length", async () => {
  const poor = await world.node.createKey({ creditUsd: '0.01' })
  const statusOf = async (body: object): Promise<number> => {
    const response = await world.node.chat(poor, { model: 'openai-open/m', max_tokens: 10, ...body })
    await response.text()
    return response.status
  }
  expect(await statusOf(part({ type: 'text', text: 'x' }))).toBe(418)
  expect(await statusOf(file('file-1'))).toBe(402)
})

test.each<[object, string]>([
  [file('file-11'), `${field}.file.file_id`],
  [image('gs://samples-evil/a.png'), `${field}.image_url.url`],
  [image('gs://samples/../other/a.png'), `${field}.image_url.url`],
  [image('gs://samples/%2e%2e/other/a.png'), `${field}.image_url.url`],
  [image('http://10.0.0.7@169.254.169.254/'), `${field}.image_url.url`],
])('refuses what only looks like an allowed reference: %j', async (body, param) => {
  for (const style of ['openai-open', 'google-open'])
    expect(await refusedField(`${style}/m`, body)).toBe(param)
})

test('a caller cannot name the operator’s fine-tuned model', async () => {
  const response = await world.node.chat(world.key, {
    model: 'openai/ft:gpt-4o:acme::1',
    messages: [{ role: 'user', content: 'x' }],
  })
  expect(response.status).toBe(404)
  await response.text()
})
