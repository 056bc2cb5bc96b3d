import { newApiKey } from '@turnpike/identity'
import { expect, test } from 'vitest'
import type { TestKey } from '../nodes/test-node.ts'
import { goodBody, refusingNode } from './refusing-node.ts'

const world = await refusingNode()

function ask(authorization: string | undefined): Promise<Response> {
  return fetch(`${world.node.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-turnpike-tags': 'bad-key',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: JSON.stringify(goodBody),
  })
}

const raw = newApiKey().raw
/** The same key with two letters exchanged, which its checksum detects. */
const typo = raw.slice(0, 14) + (raw[14] === 'a' ? 'b' : 'a') + raw.slice(15)

test.each([
  ['no header', undefined],
  ['an empty header', ''],
  ['the scheme alone', 'Bearer'],
  ['another scheme', `Basic ${Buffer.from(`:${raw}`).toString('base64')}`],
  ['no scheme', raw],
  ['no space', `Bearer${raw}`],
  ["a well-formed key that is nobody's", `Bearer ${raw}`],
  ['a typo', `Bearer ${typo}`],
  ['a key cut off', `Bearer ${raw.slice(0, -1)}`],
  ['a key with more behind it', `Bearer ${raw}a`],
  ['two keys', `Bearer ${raw}, Bearer ${raw}`],
  ['quotes', `Bearer "${raw}"`],
  ["another vendor's key", 'Bearer sk-proj-0123456789abcdefghijklmnopqrstuvwxyz'],
  ['a word', 'Bearer undefined'],
  ['a key of 16 kB', `Bearer sk-turnpike-${'a'.repeat(16_000)}`],
  ['letters of latin1', 'Bearer sk-turnpike-é'],
])('%s is 401', async (what, authorization) => {
  const answer = await ask(authorization)
  expect(answer.headers.has('www-authenticate')).toBe(false)
  const text = await answer.text()
  if (authorization !== undefined && authorization.length > 30)
    expect(text, what).not.toContain(authorization.slice(7, 40))
  await world.expectRefusal(answer.status, answer.headers, text, { status: 401, param: null, key: null })
})

test.each(['bearer', 'BEARER', 'Bearer  '])('accepts the scheme written as %s', async (scheme) => {
  const answer = await fetch(`${world.node.baseUrl}/models`, {
    headers: { authorization: `${scheme} ${world.key.raw}` },
  })
  expect(answer.status).toBe(200)
})

test.each([
  ['not used before', false],
  ['already in use', true],
])('refuses a revoked key (%s), and records its use', async (_when, used) => {
  const key = await world.node.createKey()
  if (used) await expectServed(key)
  await world.node.admin(`/accounts/${key.accountId}/keys/${key.id}`, { method: 'DELETE' })
  const refusal = { status: 401, param: null, message: /revoked/u, tags: ['bad-key'], key }
  await world.expectRefused(await ask(`Bearer ${key.raw}`), refusal)
})

test.each([
  ['not used before', false],
  ['already in use', true],
])('refuses an expired key (%s)', async (_when, used) => {
  const key = await world.node.createKey()
  if (used) await expectServed(key)
  await world.node.storage.apiKeys.update(key.accountId, key.id, { expiresAtMs: Date.now() - 1 })
  // The gateway learns of an operator's change at once; this test changes only the store.
  await world.node.admin(`/accounts/${key.accountId}/keys/${key.id}`, {
    method: 'PATCH',
    body: { name: 'expired' },
  })
  const refusal = { status: 401, param: null, message: /expired/u, tags: ['bad-key'], key }
  await world.expectRefused(await ask(`Bearer ${key.raw}`), refusal)
})

test.each(['suspended', 'closed'])('refuses a key while its account is %s', async (status) => {
  const key = await world.node.createKey()
  await expectServed(key)
  const account = `/accounts/${key.accountId}`
  await world.node.admin(account, { method: 'PATCH', body: { status } })
  const refusal = { status: 403, param: null, message: new RegExp(status, 'u'), tags: ['bad-key'], key }
  await world.expectRefused(await ask(`Bearer ${key.raw}`), refusal)
  await world.node.admin(account, { method: 'PATCH', body: { status: 'active' } })
  await expectServed(key)
})

test("refuses a model that is not on the key's list, by any of its names", async () => {
  const key = await world.node.createKey({ allowedModels: ['openai/gpt-4o'] })
  for (const model of ['openai/gpt-4o-mini', 'gpt-4o-mini']) {
    const answer = await world.node.chat(key, { ...goodBody, model, metadata: { tags: ['body'] } })
    await world.expectRefused(answer, {
      status: 403,
      param: 'model',
      message: /may not use/u,
      tags: ['body'],
      key,
    })
  }
})

async function expectServed(key: TestKey): Promise<void> {
  expect((await world.node.chat(key, goodBody)).status).toBe(200)
  world.vendor.journal.total--
}
