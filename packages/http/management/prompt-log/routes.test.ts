import { PromptLog } from '@turnpike/gateway'
import { describe, expect, test } from 'vitest'
import { newRecord } from '../../../storage/testing/fixtures.ts'
import { promptLogOn, suiteFullServer } from '../testing/full-server.ts'
import { unzipped } from '../testing/unzipped.ts'
import { startManagementServer, type Answer } from '../testing/management-server.ts'

const me = '/api/v1/me'
const logPath = '/api/v1/me/prompt-log'
const hello = { model: 'm', messages: [{ role: 'user', content: 'Mail joe@example.com' }] }
const answer = { choices: [{ message: { role: 'assistant', content: 'Done.' } }] }

const server = await suiteFullServer()

const as = (subject: string, method: string, path: string, body?: object): Promise<Answer> =>
  server.call(method, path, { as: subject, ...(body && { body }) })

/** Makes a request of a user whose prompts are kept. */
async function logged(subject: string, by = server.services.promptLog as PromptLog) {
  const { id: accountId } = (await as(subject, 'GET', me)).json
  await as(subject, 'PATCH', me, { log_prompts: true })
  const { id: keyId } = (await as(subject, 'POST', `${me}/keys`, { name: 'k' })).json
  const createdAtMs = Date.now()
  const record = newRecord({ id: keyId, accountId }, { startedAtMs: createdAtMs })
  await server.write(record)
  const seen = by.begin()
  seen.takeBody(Buffer.from(JSON.stringify(hello)))
  seen.takeAnswer(200, JSON.stringify(answer))
  const path = '/v1/chat/completions'
  const requestId = record.id
  by.add(seen, { requestId, accountId, keyId, createdAtMs, format: 'openai-chat', path, status: 200 })
  // The first request starts the thread that seals.
  await expect.poll(() => by.find(accountId, requestId), { timeout: 20_000 }).toBeDefined()
  return { accountId, keyId, id: requestId, path: `/api/v1/usage/requests/${requestId}` }
}

describe('prompts and answers', { timeout: 60_000 }, () => {
  test('are kept if an account or a key says so, and no longer than allowed', async () => {
    expect((await as('ada', 'GET', logPath)).json).toMatchObject({
      available: true,
      log_prompts: false,
      days: 7,
    })
    const tooLong = await as('ada', 'PATCH', me, { log_prompts: true, log_days: 31 })
    expect([tooLong.status, tooLong.json.error.param]).toEqual([400, 'log_days'])
    const changed = await as('ada', 'PATCH', me, { log_prompts: true, log_days: 30 })
    expect(changed.json).toMatchObject({ log_prompts: true, log_days: 30 })
    expect((await as('ada', 'GET', logPath)).json).toMatchObject({ log_prompts: true, days: 30, entries: 0 })
    expect((await as('ada', 'PATCH', me, { log_days: null })).json['log_days']).toBeNull()
    const { json: key } = await as('ada', 'POST', `${me}/keys`, { name: 'k', log_prompts: false })
    expect(key['log_prompts']).toBe(false)
    const again = await as('ada', 'PATCH', `${me}/keys/${key.id}`, { log_prompts: null })
    expect(again.json['log_prompts']).toBeNull()
    expect(server.told).toContain(`changed ${key.id}`)
  })

  test('are in the export of their own account, each once, in order', { timeout: 120_000 }, async () => {
    const ids: string[] = []
    for (let count = 0; count < 18; count++) ids.push((await logged('export')).id)
    const foreign = await logged('other')
    const { id: deleted } = await logged('export')
    await as('export', 'DELETE', `/api/v1/usage/requests/${deleted}/log`)
    const headers = { authorization: 'Bearer export' }
    const zip = await (await fetch(`${server.origin}${me}/export`, { headers })).arrayBuffer()
    const text = unzipped(Buffer.from(zip)).get('prompts-1.jsonl')!
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string })
    expect(lines.map(({ id }) => id)).toEqual(ids.toSorted())
    expect(lines[0]).toMatchObject({ object: 'request.log', answer: { status: 200, body: answer } })
    expect(text).not.toContain('joe@example.com')
    expect(text).not.toContain(foreign.id)
  })

  test('are shown as they were sent, but redacted, and as messages', async () => {
    const { path, id } = await logged('ada')
    const log = await as('ada', 'GET', `${path}/log`)
    expect([log.status, log.json]).toEqual([
      200,
      {
        id,
        object: 'request.log',
        created_at: expect.any(Number),
        expires_at: (log.json['created_at'] as number) + 7 * 86_400,
        unreadable: null,
        path: '/v1/chat/completions',
        request: {
          body: { model: 'm', messages: [{ role: 'user', content: 'Mail [redacted:email]' }] },
          bytes: JSON.stringify(hello).length,
          truncated: false,
          messages: [{ role: 'user', parts: [{ type: 'text', text: 'Mail [redacted:email]' }] }],
        },
        answer: {
          status: 200,
          streamed: false,
          body: answer,
          bytes: JSON.stringify(answer).length,
          truncated: false,
          messages: [{ role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] }],
        },
        redacted: { email: 1 },
      },
    ])
    expect((await as('ada', 'GET', path)).json['has_log']).toBe(true)
  })

  test('are visible to their own account only, not to others or an operator', async () => {
    const { path, id, accountId, keyId } = await logged('ada')
    const never = await as('grace', 'GET', `/api/v1/usage/requests/req_${'0'.repeat(26)}/log`)
    for (const method of ['GET', 'DELETE']) {
      const foreign = await as('grace', method, `${path}/log`)
      expect(foreign.status).toBe(404)
      if (method === 'GET') expect(foreign.json.error.message).toBe(never.json.error.message)
    }
    const ofAccount = `/api/v1/admin/accounts/${accountId}/usage/requests/${id}`
    expect((await server.call('GET', `${ofAccount}/log`)).status).toBe(404)
    expect((await server.call('GET', ofAccount)).json['has_log']).toBe(false)
    expect((await server.call('GET', `/api/v1/admin/accounts/${accountId}/prompt-log`)).status).toBe(404)
    const key = `/api/v1/admin/accounts/${accountId}/keys/${keyId}`
    for (const log_prompts of [true, null]) {
      const refused = await server.call('PATCH', key, { body: { log_prompts } })
      expect([refused.status, refused.json.error.param]).toEqual([403, 'log_prompts'])
    }
    expect((await server.call('PATCH', key, { body: { log_prompts: false } })).status).toBe(200)
    const account = await server.call('PATCH', `/api/v1/admin/accounts/${accountId}`, {
      body: { log_prompts: true },
    })
    expect([account.status, account.json.error.param]).toEqual([400, 'log_prompts'])
  })

  test('are deleted by request, by key or all together, and the deletion is audited', async () => {
    const [one, other, third] = [await logged('joan'), await logged('joan'), await logged('joan')]
    expect((await as('joan', 'GET', logPath)).json['entries']).toBeLessThanOrEqual(3)
    expect((await as('joan', 'GET', `${third.path}/log`)).status).toBe(200)
    expect((await as('joan', 'GET', logPath)).json['entries']).toBe(3)
    for (let times = 0; times < 2; times++)
      expect((await as('joan', 'DELETE', `${one.path}/log`)).json).toEqual({
        id: one.id,
        object: 'request.log',
        deleted: true,
      })
    expect((await as('joan', 'GET', `${one.path}/log`)).status).toBe(404)
    const ofKey = await as('joan', 'DELETE', `${logPath}?key_id=${other.keyId}`)
    expect(ofKey.json).toEqual({ id: other.keyId, object: 'prompt_log', deleted: 1 })
    expect((await as('joan', 'GET', `${other.path}/log`)).status).toBe(404)
    expect((await as('joan', 'DELETE', logPath)).json['deleted']).toBe(1)
    expect((await as('joan', 'GET', `${third.path}/log`)).status).toBe(404)
    expect((await as('joan', 'GET', logPath)).json).toMatchObject({ entries: 0, bytes: 0, oldest_at: null })
    const foreign = await as('grace', 'DELETE', `${logPath}?key_id=${other.keyId}`)
    expect([foreign.status, foreign.json.error.param]).toEqual([404, 'key_id'])
    const audit = await server.call('GET', '/api/v1/admin/audit')
    const actions = audit.json.data.map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['deletePromptLog', 'deleteRequestLog']))
  })

  test('are listed even if no key can open them, with the reason', async () => {
    const { path } = await logged('mary', promptLogOn(server.storage, Buffer.alloc(32, 8)))
    const log = { unreadable: 'key_missing', request: null, answer: null, redacted: {} }
    expect((await as('mary', 'GET', `${path}/log`)).json).toMatchObject(log)
    expect((await as('mary', 'DELETE', `${path}/log`)).status).toBe(200)
  })

  test('are deleted with their account', async () => {
    const { path, accountId } = await logged('gone')
    expect((await as('gone', 'GET', `${path}/log`)).status).toBe(200)
    await server.call('PATCH', `/api/v1/admin/accounts/${accountId}`, { body: { status: 'closed' } })
    expect(await server.storage.promptLogs.figures(accountId)).toMatchObject({ entries: 0 })
  })
})

test('nobody can turn the prompt log on if the operator forbids it', async () => {
  const forbidding = await startManagementServer()
  const call = (method: string, path: string, body?: object) =>
    forbidding.call(method, path, { as: 'ada', ...(body && { body }) })
  expect((await call('GET', logPath)).json).toMatchObject({ available: false, log_prompts: false })
  for (const [path, body] of [
    [me, { log_prompts: true }],
    [`${me}/keys`, { name: 'k', log_prompts: true }],
  ] as const) {
    const refused = await call(path === me ? 'PATCH' : 'POST', path, body)
    expect([refused.status, refused.json.error.param]).toEqual([403, 'log_prompts'])
  }
  expect((await call('PATCH', me, { log_prompts: false })).status).toBe(200)
  expect((await call('GET', `/api/v1/usage/requests/req_${'0'.repeat(26)}/log`)).status).toBe(404)
  await forbidding.close()
})
