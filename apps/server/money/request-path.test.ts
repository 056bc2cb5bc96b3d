import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { DeviceSignIns } from '@turnpike/identity'
import { describe, expect, it } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { addOwnKey } from './testing/own-key-nodes.ts'

const requests = 100
const ring = [randomBytes(32)]
/** Database calls of a node's background tasks, which it makes with or without requests. */
const byTheClock = new Set([
  'apiKeys.revokeDue',
  'organizations.finishRemovals',
  'leases.heartbeat',
  'leases.giveBackExpired',
  'retention.prepare',
  'retention.dropBefore',
  'retention.dropHealthHoursBefore',
  'keptAnswers.dropExpired',
  'promptLogs.dropExpired',
  'priceHistory.record',
  'autoTopups.withMethodToKeep',
  'autoTopups.concludeActions',
  'autoTopups.claim',
  'autoTopups.begin',
  'topups.claimDue',
  'topups.dropAbandoned',
  'deliveries.claimDue',
  'deliveries.waiting',
  'alerts.checkDue',
  'alerts.budgetRefused',
  'alerts.checkBudgets',
  'events.dropBefore',
  'vendorKeys.note',
  'vendorKeys.sealedOtherwise',
  'vendorKeys.countBySealingKey',
])

describe.each(databases())('the request path on $engine', ({ create }) => {
  const node = suiteFleet(create, 1, (base_url) => ({
    byok: { encryption_keys: ring.map((one) => one.toString('base64')), providers: ['vendor'] },
    providers: { vendor: { style: 'openai', base_url } },
    models: { 'vendor/echo': { pricing: { prompt: '0.0000025', completion: '0.00001' } } },
  })).nodes[0]!

  async function ask(key: TestKey, stream: boolean, maxTokens: number): Promise<void> {
    const response = await node.chat(
      key,
      {
        model: 'vendor/echo',
        stream,
        max_completion_tokens: maxTokens,
        messages: [{ role: 'user', content: 'one two three [sandbox: pace=0]' }],
      },
      { headers: { 'x-turnpike-tags': 'team:a,job:b' } },
    )
    await response.text()
    expect(response.status).toBe(200)
  }

  it.each(['key', 'token of a device', 'key with three budgets', 'key with an own vendor key'])(
    `makes no database call in ${requests} requests of a known %s with a lease`,
    async (credential) => {
      const made = await node.createKey()
      const isDevice = credential === 'token of a device'
      const key = isDevice ? { ...made, raw: await deviceTokenOf(node, made) } : made
      if (credential === 'key with three budgets') await addBudgets(node, key)
      if (credential === 'key with an own vendor key')
        await addOwnKey(node, key, { ring, provider: 'vendor' })
      const setUp = countCalls(node)
      // Its lease covers many requests of this size.
      await untilSettled(setUp, () => ask(key, false, 8_000))
      const sent = (await usageOf(key)).totalRequests
      const calls = countCalls(node)
      for (let count = 0; count < requests; count++) await ask(key, count % 2 === 0, 50)
      const { 'requests.writeLines': flushes = 0, ...others } = calls()
      const onThePath = Object.keys(others).filter((call) => !byTheClock.has(call))
      expect(onThePath).toEqual([])
      // The flushes follow the requests, batch by batch.
      expect(flushes).toBeLessThan(requests / 4)
      expect(await usageOf(key)).toMatchObject({ totalRequests: sent + requests })
    },
  )

  /** After a management request, before which a node flushes. */
  async function usageOf({ accountId }: TestKey) {
    await node.admin(`/accounts/${accountId}`)
    return node.storage.usage.summary({ accountId, fromMs: 0, toMs: Date.now() + 1_000 })
  }
})

/**
 * Repeats a request until the node has processed the notices of the set-up. Until then it may forget the key
 * and read it again.
 */
async function untilSettled(calls: () => Record<string, number>, ask: () => Promise<void>): Promise<void> {
  const reads = (): number => calls()['apiKeys.findByHashes'] ?? 0
  for (let quiet = 0; quiet < 3;) {
    const before = reads()
    await ask()
    quiet = reads() === before ? quiet + 1 : 0
    await delay(200)
  }
}

/** Creates three budgets that each request falls under, among hundreds that apply to none. */
async function addBudgets(node: TestNode, { accountId }: TestKey): Promise<void> {
  const others = Array.from({ length: 300 }, (_, number) => ({ scope: 'tag', subject: `job:${number}` }))
  const on = [{ scope: 'organization' }, { scope: 'tag', subject: 'team:a' }, ...others]
  for (const what of [...on, { scope: 'model', subject: 'vendor/echo' }])
    await node.admin(`/accounts/${accountId}/budgets`, {
      method: 'POST',
      body: { name: 'b', period: 'day', limit_usd: '100', ...what },
    })
}

/** The access token of a device that uses the key. */
async function deviceTokenOf(node: TestNode, key: TestKey): Promise<string> {
  const { signIns: store } = node.storage
  const signIns = new DeviceSignIns({ store, clock: () => Date.now(), onEnded: () => undefined })
  const { userCode, deviceCode } = await signIns.begin('claude_code', '127.0.0.1')
  await signIns.approve((await signIns.waiting(userCode))!, key.accountId, async () => key)
  const tokens = await signIns.poll(deviceCode)
  if (typeof tokens === 'string') throw new Error(tokens)
  return tokens.accessToken
}

/** Counts calls of the stores from now on, by `store.method`. */
function countCalls({ storage }: TestNode): () => Record<string, number> {
  const calls: Record<string, number> = {}
  for (const [name, store] of Object.entries(storage)) {
    if (typeof store !== 'object' || store === null) continue
    const methods = store as Record<string, unknown>
    for (const [method, original] of Object.entries(methods)) {
      if (typeof original !== 'function') continue
      methods[method] = (...parameters: unknown[]): unknown => {
        calls[`${name}.${method}`] = (calls[`${name}.${method}`] ?? 0) + 1
        return Reflect.apply(original, store, parameters)
      }
    }
  }
  return () => ({ ...calls })
}
