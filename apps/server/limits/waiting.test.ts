import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { RedisServer } from '../../../packages/limits/testing/redis-server.ts'
import { databases } from '../../../tests/nodes/databases.ts'
import type { ConfigurationInput } from '../configuration/schema/schema.ts'
import { startTestNode, type TestNode } from '../../../tests/nodes/test-node.ts'
import { expectAllowed, keysOf, load } from './testing/load.ts'

/**
 * For each limit, a caller without pauses is admitted as often as the limit allows, and one that waits as
 * told is admitted next.
 */

const postgres = databases().find(({ engine }) => engine === 'PostgreSQL')
const words = (count: number, tokens: number) => [
  { role: 'user', content: `${'word '.repeat(count)}[sandbox: pace=0 tokens=${tokens}]` },
]
const many = 1_000_000
/** Higher than any limit that these tests reach. */
const wide = { requests_per_minute: many, input_tokens_per_minute: many, output_tokens_per_minute: many }

interface Limit {
  name: string
  tier: string
  /** Part of the error message. */
  says: RegExp
  messages: readonly object[]
}

const limits: readonly Limit[] = [
  { name: 'burst', tier: 'wide', says: /10 requests per second/, messages: words(1, 1) },
  { name: 'requests', tier: 'requests', says: /60 requests per minute/, messages: words(1, 1) },
  { name: 'input tokens', tier: 'input', says: /3000 input tokens per minute/, messages: words(60, 1) },
  { name: 'output tokens', tier: 'output', says: /1200 output tokens per minute/, messages: words(1, 40) },
]

const input: ConfigurationInput = {
  providers: { sandbox: { style: 'sandbox' } },
  limits: {
    burst_per_key_per_second: 10,
    tiers: {
      free: {},
      wide,
      requests: { ...wide, requests_per_minute: 60 },
      input: { ...wide, input_tokens_per_minute: 3_000 },
      output: { ...wide, output_tokens_per_minute: 1_200 },
    },
  },
}

/** With this many keys, the burst of a single key does not limit the load. */
const enoughKeys = 24
const waits = 3
/** If the machine is too slow to reach a limit in this time, the test is skipped. */
const longestMs = 60_000
/** The tests wait at the same time, on a machine that may be busy. */
const patience = { timeout: 300_000 }
/** Callers that cannot send for a second leave some of the limit unused; then the test is repeated. */
const whereCallersKeepUp = { retry: 3 }

interface World {
  nodes: TestNode[]
  close(): Promise<void>
}

async function oneNode(): Promise<World> {
  const node = await startTestNode({ input })
  return { nodes: [node], close: () => node.stop() }
}

async function twoNodes(): Promise<World> {
  const redis = await RedisServer.start(inject('redisProgram')!)
  const { url: databaseUrl, drop } = await postgres!.create()
  const shared = { ...input, redis: { url: redis.url, timeout_seconds: 5 } }
  const start = (): Promise<TestNode> => startTestNode({ databaseUrl, input: shared })
  const nodes = [await start(), await start()]
  return {
    nodes,
    async close() {
      for (const node of nodes) await node.stop()
      await redis.remove()
      await drop()
    },
  }
}

const hasBoth = inject('redisProgram') !== null && postgres !== undefined

describe.each([
  ['one node, in the process', oneNode, true],
  ['two nodes, over Redis', twoNodes, hasBoth],
] as const)('%s', (_, open, isPossible) => {
  describe.skipIf(!isPossible).concurrent('a caller without pauses', () => {
    let world: World
    beforeAll(async () => {
      world = await open()
    })
    afterAll(() => world.close())

    const name = 'and waits as told is never refused twice in a row: $name'
    test.for(limits)(name, patience, async (limit, { skip }) => {
      const keys = await keysOf(world.nodes[0]!, limit.name === 'burst' ? 1 : enoughKeys, limit.tier)
      let row = 0
      let waited = 0
      const startedMs = performance.now()
      for (let count = 0; waited < waits; count++) {
        if (waited === 0 && performance.now() - startedMs > longestMs)
          skip(`this machine sends ${count} requests in a minute, which is below the limit`)
        const node = world.nodes[count % world.nodes.length]!
        const body = { model: 'sandbox/echo', messages: limit.messages }
        const response = await node.chat(keys[count % keys.length]!, body)
        const text = await response.text()
        row = response.status === 200 ? 0 : row + 1
        expect(row, text).toBeLessThan(2)
        if (row === 0) continue
        expect([response.status, text]).toEqual([429, expect.stringMatching(limit.says)])
        waited++
        const seconds = Number(response.headers.get('retry-after'))
        await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
      }
    })
  })
})

describe('one node admits as much as two nodes do', () => {
  let world: World
  beforeAll(async () => {
    world = await oneNode()
  })
  afterAll(() => world.close())

  test('of an account’s requests per minute', whereCallersKeepUp, async () => {
    const keys = await keysOf(world.nodes[0]!, enoughKeys, 'requests')
    const counts = await load(world.nodes, keys, { messages: words(1, 1) })
    expectAllowed(counts, (seconds) => 60 * (1 + seconds / 60))
  })

  test.each([
    ['input', words(60, 1), 3_000, 'prompt_tokens'],
    ['output', words(1, 40), 1_200, 'completion_tokens'],
  ] as const)('its %s tokens', whereCallersKeepUp, async (tier, messages, perMinute, counted) => {
    const [node] = world.nodes
    const keys = await keysOf(node!, enoughKeys, tier)
    const first = await node!.chat(keys[0]!, { model: 'sandbox/echo', messages })
    const { usage } = (await first.json()) as { usage: Record<typeof counted, number> }
    const each = usage[counted]
    const counts = await load(world.nodes, keys, { callers: 1, messages })
    // Sent one after the other, only the next request is estimated. The first one is already counted.
    expectAllowed(counts, (seconds) => (perMinute * (1 + seconds / 60)) / each - 1)
  })
})
