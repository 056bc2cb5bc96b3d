import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { LoggingNode } from './testing/logging-node.ts'

const secret = 'sk-proj-aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF'
const card = '4111 1111 1111 1111'
const mail = 'joe.doe@mail.example.com'
const prompt = `Remember ${secret} and ${card}, then write to ${mail} soon.`
const redacted = 'Remember [redacted:api_key] and [redacted:card], then write to [redacted:email] soon.'
const model = 'sandbox/echo'
const user = [{ role: 'user', content: prompt }]

/** Each API, streamed and plain. The sandbox repeats the prompt in pieces of a few characters. */
const apis: [name: string, path: string, body: object][] = [true, false].flatMap((stream) => [
  ['chat completions', '/v1/chat/completions', { model, messages: user, stream }],
  ['Messages', '/v1/messages', { model, messages: user, max_tokens: 500, stream }],
  ['Responses', '/v1/responses', { model, input: prompt, stream }],
  ['completions', '/v1/completions', { model, prompt, max_tokens: 500, stream }],
  [
    'generateContent',
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents: [{ role: 'user', parts: [{ text: prompt }] }] },
  ],
])

describe.each(databases())('the prompt log on $engine', ({ create }) => {
  let world: LoggingNode
  beforeAll(async () => {
    world = await LoggingNode.start(create, { max_bytes: 64 * 1024 })
  })
  afterAll(() => world?.stop())

  test.each(apis)('%s keeps the text without its secrets (%#)', async (_name, path, body) => {
    const key = await world.loggedKey()
    const { status, text, entry } = await world.ask(key, path, body)
    expect([status, text.includes('Remember')]).toEqual([200, true])
    const kept = JSON.stringify(entry)
    expect(entry?.path).toBe(path.split('?')[0])
    expect(JSON.stringify(entry?.request?.body)).toContain(redacted)
    expect(JSON.stringify(entry?.answer?.body)).toContain(redacted)
    expect(entry?.answer).toMatchObject({ status: 200, truncated: false })
    expect(entry?.redacted).toEqual({ api_key: 2, card: 2, email: 2 })
    for (const part of [secret.slice(8, 20), '4111', 'joe.doe']) expect(kept).not.toContain(part)
    expect(kept).not.toContain(key.raw)
  })

  test.each([
    ['embeddings', '/v1/embeddings', { model: 'sandbox/embed', input: prompt }],
    ['rankings', '/v1/rerank', { model: 'sandbox/rerank', query: prompt, documents: ['a', prompt] }],
    ['moderations', '/v1/moderations', { model: 'sandbox/moderate', input: prompt }],
  ])('%s are kept as well', async (_name, path, body) => {
    const { status, entry } = await world.ask(await world.loggedKey(), path, body)
    expect(JSON.stringify(entry?.request?.body)).toContain(redacted)
    expect(entry?.answer?.status).toBe(status)
    expect(JSON.stringify(entry)).not.toContain(secret)
  })

  test('nothing of it is stored in plain text', async () => {
    const key = await world.loggedKey()
    const messages = [{ role: 'user', content: 'A sentence that is no secret at all.' }]
    const { entry } = await world.ask(key, '/v1/chat/completions', { model, messages })
    expect(JSON.stringify(entry)).toContain('no secret at all')
    for (const name of readdirSync(world.node.dataDir, { recursive: true, encoding: 'utf8' })) {
      const file = join(world.node.dataDir, name)
      if (name.includes('.') || name.endsWith('wal')) expect(readable(file)).not.toContain('no secret at all')
    }
  })

  test('a key can set for itself whether its prompts are kept', async () => {
    const { storage } = world.node
    const key = await world.loggedKey()
    const body = { model, messages: user }
    await storage.apiKeys.update(key.accountId, key.id, { logPrompts: false })
    expect((await world.ask(key, '/v1/chat/completions', body)).entry).toBeUndefined()
    const other = await world.node.createKey()
    expect((await world.ask(other, '/v1/chat/completions', body)).entry).toBeUndefined()
    const alone = await world.node.createKey()
    await storage.apiKeys.update(alone.accountId, alone.id, { logPrompts: true })
    const { id, entry } = await world.ask(alone, '/v1/chat/completions', body)
    expect(entry).toBeDefined()
    expect(await world.entry(key, id)).toBeUndefined()
  })

  test('failed, refused and interrupted requests are kept as far as they came', async () => {
    const key = await world.loggedKey()
    const chat = (content: string, more: object = {}) =>
      world.ask(key, '/v1/chat/completions', { model, messages: [{ role: 'user', content }], ...more })
    const failed = await chat(`[sandbox: error=500] ${prompt}`)
    expect([failed.status, failed.entry?.answer?.status]).toEqual([502, 502])
    expect(JSON.stringify(failed.entry)).not.toContain(secret)
    const cut = await chat(`[sandbox: cut=6] one two three four five six seven eight nine`, { stream: true })
    expect(cut.entry?.answer).toMatchObject({ streamed: true, body: { error: { type: expect.any(String) } } })
    expect(JSON.stringify(cut.entry?.answer?.body)).toContain('one two')
    const refused = await world.ask(key, '/v1/chat/completions', { model: 'none/such', messages: user })
    expect([refused.status, refused.entry?.answer?.status]).toEqual([404, 404])
    const noJson = await world.ask(key, '/v1/chat/completions', `{"model": "${model}", "x": "${prompt}`)
    expect(noJson.entry?.answer?.status).toBe(400)
    expect(JSON.stringify(noJson.entry)).not.toContain(secret)
    const wrong = await world.ask(key, '/v1/chat/completions', {
      model,
      messages: user,
      [secret]: 1,
      n: secret,
    })
    expect(JSON.stringify(wrong.entry)).not.toContain(secret)
  })

  test('a request whose caller leaves is kept as far as it came', async () => {
    const key = await world.loggedKey()
    const leaving = new AbortController()
    const response = await fetch(`${world.node.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.raw}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'sandbox/lorem',
        stream: true,
        messages: [{ role: 'user', content: '[sandbox: tokens=900 pace=50/s] Go on' }],
      }),
      signal: leaving.signal,
    })
    const reader = response.body!.getReader()
    for (let reads = 0; reads < 5; reads++) await reader.read()
    leaving.abort()
    const id = response.headers.get('x-request-id')!
    await expect.poll(() => world.entry(key, id), { timeout: 10_000 }).toBeDefined()
    const entry = await world.entry(key, id)
    expect(entry?.answer?.status).toBe(200)
    expect(JSON.stringify(entry?.answer?.body)).toMatch(/lorem/i)
  })

  test('a long request is kept with its beginning, its end, and the sizes of its images', async () => {
    const key = await world.loggedKey()
    const picture = `data:image/png;base64,${Buffer.alloc(3_000_000, 9).toString('base64')}`
    const messages = [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: picture } }] },
      { role: 'user', content: `first ${'word '.repeat(60_000)} last` },
      { role: 'user', content: 'and what now?' },
    ]
    const { entry } = await world.ask(key, '/v1/chat/completions', { model, messages })
    const kept = JSON.stringify(entry?.request?.body)
    expect(entry?.request).toMatchObject({
      truncated: true,
      bytes: JSON.stringify({ model, messages }).length,
    })
    expect(kept.length).toBeLessThan(64 * 1024 + 1)
    for (const part of [
      '[3000000 bytes left out]',
      'first word',
      ' last',
      'characters left out',
      'what now?',
    ])
      expect(kept).toContain(part)
  })

  /** Waits until a request's body was read, while the request still runs. */
  const underWay = () => expect.poll(() => world.ended(), { timeout: 10_000 }).toBe(false)

  test('an entry that is deleted while its request runs is not written later', async () => {
    const key = await world.loggedKey()
    const slow = { model, messages: [{ role: 'user', content: '[sandbox: delay=3s] late' }] }
    const pending = world.ask(key, '/v1/chat/completions', slow)
    await underWay()
    await world.node.storage.promptLogs.dropAll(key.accountId, undefined, Date.now())
    expect((await pending).entry).toBeUndefined()
    const byKey = world.ask(key, '/v1/chat/completions', { ...slow, seed: 1 })
    await underWay()
    await world.node.storage.promptLogs.dropAll(key.accountId, key.id, Date.now())
    expect((await byKey).entry).toBeUndefined()
    expect(await world.counted('unwanted')).toBeGreaterThan(1)
    await delay(1_100)
    expect((await world.ask(key, '/v1/chat/completions', { model, messages: user })).entry).toBeDefined()
  })

  test('a request is not kept if the log is turned off while it runs', async () => {
    const key = await world.loggedKey()
    const slow = { model, messages: [{ role: 'user', content: '[sandbox: delay=3s] late' }] }
    const pending = world.ask(key, '/v1/chat/completions', slow)
    await underWay()
    await world.node.storage.accounts.update(key.accountId, { logPrompts: false })
    expect((await pending).entry).toBeUndefined()
  })
})

function readable(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') return ''
    throw error
  }
}
