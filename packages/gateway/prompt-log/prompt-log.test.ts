import { randomBytes } from 'node:crypto'
import { GatewayError, newIdentifier } from '@turnpike/protocol'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PromptLog, type PromptLogSettings } from './prompt-log.ts'
import type { LogFigures, PromptLogStore, SealedLog } from './store.ts'

const mebibyte = 1024 * 1024
const away = new GatewayError('service_unavailable', 'The database cannot be reached at the moment.')

/** An in-memory database that is unavailable, rejects writes or hangs when a test says so. */
class FakeStore implements PromptLogStore {
  readonly rows = new Map<string, SealedLog>()
  failure: Error | undefined
  answering: Promise<void> | undefined

  async write(logs: readonly SealedLog[]) {
    await this.answering
    if (this.failure !== undefined) throw this.failure
    for (const log of logs) this.rows.set(log.requestId, log)
    return { written: logs.length, evicted: 0 }
  }

  async find(accountId: string, requestId: string): Promise<SealedLog | undefined> {
    const row = this.rows.get(requestId)
    return row?.accountId === accountId ? row : undefined
  }

  async has(accountId: string, requestId: string): Promise<boolean> {
    return (await this.find(accountId, requestId)) !== undefined
  }

  async page(): Promise<SealedLog[]> {
    return [...this.rows.values()]
  }

  async drop({ requestId }: { requestId: string }): Promise<void> {
    this.rows.delete(requestId)
  }

  async dropAll(): Promise<number> {
    return 0
  }

  async figures(): Promise<LogFigures> {
    return { entries: this.rows.size, bytes: 0, oldestAtMs: null }
  }

  async dropExpired(): Promise<void> {}
}

const opened: PromptLog[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
}, 30_000)

function setUp(settings: Partial<PromptLogSettings> = {}, store = new FakeStore()) {
  const log = { warn: vi.fn(), error: vi.fn() }
  const promptLog = new PromptLog(
    store,
    {
      encryptionKeys: [randomBytes(32)],
      days: { usual: 7, most: 30 },
      maxBytes: 64 * 1024,
      maxAccountBytes: mebibyte,
      patterns: [],
      ...settings,
    },
    log,
  )
  opened.push(promptLog)
  return { store, log, promptLog }
}

function add(promptLog: PromptLog, body: Buffer, answer: string | string[] = '{}'): string {
  const requestId = newIdentifier('req')
  const seen = promptLog.begin()
  seen.takeBody(body)
  if (typeof answer === 'string') seen.takeAnswer(200, answer)
  else {
    seen.startStream(200)
    for (const events of answer) seen.takeEvents(events)
  }
  const of = { requestId, accountId: 'acct_1', keyId: 'key_1', createdAtMs: 1, status: 200 }
  promptLog.add(seen, { ...of, format: 'openai-chat', path: '/v1/chat/completions' })
  return requestId
}

const hello = Buffer.from('{"model":"m","messages":[{"role":"user","content":"Hello there"}]}')
const idle = (promptLog: PromptLog) => expect.poll(() => promptLog.waitingBytes, { timeout: 20_000 }).toBe(0)

describe('a logged request', { timeout: 60_000 }, () => {
  it('is sealed, and found only by its own account', async () => {
    const { store, promptLog } = setUp()
    const id = add(promptLog, hello)
    await idle(promptLog)
    expect(promptLog.tally).toMatchObject({ written: 1, failed: 0 })
    const { sealed, plainBytes } = store.rows.get(id)!
    expect(Buffer.from(sealed).includes('Hello')).toBe(false)
    expect(plainBytes).toBeGreaterThan(100)
    const found = await promptLog.find('acct_1', id)
    expect(found?.entry).toMatchObject({ request: { body: JSON.parse(hello.toString()) as object } })
    expect(await promptLog.find('acct_2', id)).toBeUndefined()
    store.rows.set(id, { ...store.rows.get(id)!, accountId: 'acct_2' })
    expect((await promptLog.find('acct_2', id))?.entry).toBe('damaged')
  })

  it('is reported as present if its key is missing', async () => {
    const { store, promptLog } = setUp()
    const id = add(promptLog, hello)
    await idle(promptLog)
    const after = setUp({}, store)
    expect((await after.promptLog.find('acct_1', id))?.entry).toBe('key_missing')
    expect(after.log.error).toHaveBeenCalledOnce()
  })

  it('is complete, however its stream was split into chunks', async () => {
    const { promptLog } = setUp()
    const secret = 'sk-proj-aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF'
    const event = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
    const call = (text: string): string => {
      const called = { index: 0, id: 'x', type: 'function', function: { name: 'f', arguments: text } }
      return event({ tool_calls: [called] })
    }
    const events = [
      ...Array.from(`key ${secret}`, (content) => event({ content })),
      ...Array.from(`{"a":"${secret}"}`, call),
      event({}, 'stop'),
      'data: [DONE]\n\n',
    ].join('')
    const pieces = events.match(/[^]{1,7}/g)!
    const id = add(promptLog, hello, pieces)
    await idle(promptLog)
    const found = await promptLog.find('acct_1', id)
    const message = {
      content: 'key [redacted:api_key]',
      tool_calls: [{ function: { arguments: '{"a":"[redacted:api_key]"}' } }],
    }
    expect(found?.entry).toMatchObject({ answer: { body: { choices: [{ message }] } } })
    expect(JSON.stringify(found)).not.toContain('sk-proj')
  })

  it('of 190 MiB takes no more memory than any other', async () => {
    const { promptLog } = setUp()
    const body = Buffer.alloc(190 * mebibyte, 'word ')
    body.write('{"model":"m","messages":[{"role":"user","content":"', 0, 'latin1')
    body.write('"}]}', body.length - 4, 'latin1')
    const id = add(promptLog, body)
    expect(promptLog.waitingBytes).toBeLessThan(2 * mebibyte)
    await idle(promptLog)
    const found = await promptLog.find('acct_1', id)
    expect(found?.entry).toMatchObject({ request: { bytes: body.length, truncated: true } })
    expect(JSON.stringify(found?.entry).length).toBeLessThan(70 * 1024)
  })

  it('is kept as far as it can be parsed', async () => {
    const { promptLog } = setUp()
    const deep = Buffer.from(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    const ids = [
      add(promptLog, deep),
      add(promptLog, Buffer.from([0xff, 0xfe, 0x00, 0x80])),
      add(promptLog, hello, ['data: {"choices": "no"}\n\n', 'data: nonsense\n\n', 'event: x\n']),
      add(promptLog, hello, ''),
    ]
    await idle(promptLog)
    expect(promptLog.tally).toMatchObject({ written: 4, failed: 0 })
    for (const id of ids) expect((await promptLog.find('acct_1', id))?.entry).toBeTypeOf('object')
  })
})

describe('a log that cannot keep up', { timeout: 60_000 }, () => {
  it('drops what there is no room for, and counts it', async () => {
    const { store, promptLog } = setUp({ maxBytes: mebibyte })
    const stalled = Promise.withResolvers<void>()
    store.answering = stalled.promise
    const large = Buffer.from(
      JSON.stringify({ a: Array.from({ length: 16 }, () => 'word '.repeat(200_000)) }),
    )
    for (let count = 0; count < 12; count++) add(promptLog, large)
    expect(promptLog.waitingBytes).toBeLessThanOrEqual(128 * mebibyte)
    const id = add(promptLog, hello)
    stalled.resolve()
    await idle(promptLog)
    expect(promptLog.tally.written + promptLog.tally.noRoom).toBe(13)
    expect(await promptLog.find('acct_1', id)).toBeDefined()
  })

  it('retries while the database is unavailable, and gives up what the database rejects', async () => {
    const { store, log, promptLog } = setUp()
    store.failure = away
    const id = add(promptLog, hello)
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalled(), 20_000)
    store.failure = undefined
    await vi.waitFor(() => expect(store.rows.has(id)).toBe(true), 20_000)
    store.failure = new Error('no')
    add(promptLog, hello)
    await idle(promptLog)
    expect(promptLog.tally).toMatchObject({ written: 1, failed: 1 })
  })

  it('writes what it has when it closes, within a time limit', async () => {
    const { promptLog } = setUp()
    for (let count = 0; count < 20; count++) add(promptLog, hello)
    await promptLog.close()
    expect(promptLog.tally.written + promptLog.tally.failed).toBe(20)
    add(promptLog, hello)
    await idle(promptLog)
    expect(promptLog.tally.failed + promptLog.tally.written + promptLog.tally.noRoom).toBe(21)
  })
})
