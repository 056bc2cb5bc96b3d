import { expect, test } from 'vitest'
import { startSdkNode } from './sdk-node.ts'
import { suiteWorld } from '../nodes/suite.ts'

const world = await suiteWorld(startSdkNode())

test('an unknown path is 404 with a list of the existing ones', async () => {
  for (const path of ['/v1/chat/completion', '/v1/v1/models']) {
    const response = await fetch(world.node.origin + path, { method: 'POST' })
    const { error } = (await response.json()) as { error: { message: string } }
    expect([path, response.status]).toEqual([path, 404])
    for (const known of ['/v1/chat/completions', '/v1/messages', '/v1/models'])
      expect(error.message).toContain(known)
  }
  const response = await fetch(`${world.node.origin}/chat/completions`, { method: 'POST' })
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('/v1/messages')])
})

test('waits are also given in milliseconds', async () => {
  const { raw } = await world.node.createKey({ creditUsd: '0' })
  const head = { authorization: `Bearer ${raw}`, 'content-type': 'application/json' }
  const messages = [{ role: 'user', content: 'Hello [sandbox: error=503]' }]
  const body = JSON.stringify({ model: 'openai/gpt-4o-mini', messages })
  const withoutCredit = await fetch(`${world.node.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: head,
    body,
  })
  expect([withoutCredit.status, withoutCredit.headers.get('retry-after-ms')]).toEqual([402, null])
  const down = await world.node.chat(world.key, { model: 'openai/gpt-4o-mini', messages })
  expect(down.status).toBe(503)
  expect([down.headers.get('retry-after'), down.headers.get('retry-after-ms')]).toEqual(['1', '1000'])
})
