import { afterSession, parseUsd, sandboxSession } from '@turnpike/billing'
import { describe, expect, test, vi } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode } from '../../../tests/nodes/suite.ts'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'

const postgres = databases().find(({ engine }) => engine === 'PostgreSQL')
const tiers = {
  free: { requests_per_minute: 100 },
  build: { lifetime_topup_usd: '20', requests_per_minute: 200 },
  house: { requests_per_minute: 300 },
}

describe.skipIf(postgres === undefined)('a tier that changes on one node', () => {
  const database = suiteDatabase(() => postgres!.create())
  const input = { providers: { sandbox: { style: 'sandbox' as const } }, limits: { tiers } }
  const nodes = [suiteNode(input, { database }), suiteNode(input, { database })]

  async function limitOn(node: TestNode, key: TestKey): Promise<string | null> {
    const messages = [{ role: 'user', content: 'hello [sandbox: pace=0]' }]
    const response = await node.chat(key, { model: 'sandbox/echo', messages })
    await response.text()
    return response.headers.get('x-ratelimit-limit-requests')
  }

  const everywhere = (key: TestKey, limit: string): Promise<void> =>
    vi.waitFor(async () => {
      for (const node of nodes) expect(await limitOn(node, key)).toBe(limit)
    }, 20_000)

  test('is known on the other long before its keys would be read again', async () => {
    const key = await nodes[0]!.createKey()
    await everywhere(key, '100')
    const { topups } = nodes[0]!.storage
    const { accountId } = key
    const purchase = { keyId: null, processor: 'sandbox' as const, idempotencyKey: null }
    const { id } = await topups.reserve({ ...purchase, accountId, amountPico: parseUsd('20') }, Date.now())
    await topups.attach(id, { sessionId: `sandbox_${id}`, url: null, expiresAtMs: Date.now() + 60_000 })
    await topups.change(id, (topup) => afterSession(topup, sandboxSession(topup, 'paid')), Date.now())
    await everywhere(key, '200')
    await nodes[1]!.admin(`/accounts/${accountId}`, { method: 'PATCH', body: { tier: 'house' } })
    await everywhere(key, '300')
  })
})
