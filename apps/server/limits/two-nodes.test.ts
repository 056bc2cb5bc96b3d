import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { RedisServer } from '../../../packages/limits/testing/redis-server.ts'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase } from '../../../tests/nodes/suite.ts'
import { startTestNode, type TestNode } from '../../../tests/nodes/test-node.ts'
import { expectAllowed, keysOf, load } from './testing/load.ts'

const program = inject('redisProgram')
const postgres = databases().find(({ engine }) => engine === 'PostgreSQL')
const messages = [{ role: 'user', content: 'one two three [sandbox: pace=0 tokens=3]' }]
const requestsPerMinute = 300
const burst = 10
/** A busy machine may be slow, so nodes are patient unless that is what a test checks. */
const patientSeconds = 5
/** Callers that cannot send for a second leave some of the limit unused; then the test is repeated. */
const whereCallersKeepUp = { retry: 3 }

describe.skipIf(program === null || postgres === undefined)('two nodes with one Redis', () => {
  let redis: RedisServer
  const database = suiteDatabase(() => postgres!.create())
  let nodes: TestNode[] = []

  const start = async (timeoutSeconds: number): Promise<TestNode> => {
    return startTestNode({
      databaseUrl: database.url,
      input: {
        redis: { url: redis.url, timeout_seconds: timeoutSeconds },
        providers: { sandbox: { style: 'sandbox' } },
        limits: {
          burst_per_key_per_second: burst,
          tiers: {
            free: { requests_per_minute: requestsPerMinute },
            many: { requests_per_minute: 1_000_000 },
            words: { input_tokens_per_minute: 6_000 },
          },
        },
      },
    })
  }

  beforeAll(async () => {
    redis = await RedisServer.start(program!)
    nodes = [await start(patientSeconds), await start(patientSeconds)]
  })
  afterAll(async () => {
    for (const node of nodes) await node.stop()
    await redis.remove()
  })

  test('admit a key’s burst once, not once per node', whereCallersKeepUp, async () => {
    const counts = await load(nodes, await keysOf(nodes[0]!, 1, 'many'), { messages })
    expectAllowed(counts, (seconds) => burst * (1 + seconds))
  })

  test('admit an account’s requests per minute once', whereCallersKeepUp, async () => {
    const keys = await keysOf(nodes[0]!, 40, 'free')
    // The full bucket of a minute is used at once, and then what refills.
    const counts = await load(nodes, keys, { callers: 16, ms: 4_000, messages })
    expectAllowed(counts, (seconds) => requestsPerMinute * (1 + seconds / 60))
  })

  test('admit its tokens once, and know what the other has used', async () => {
    const keys = await keysOf(nodes[0]!, 40, 'words')
    const content = [{ role: 'user', content: `${'word '.repeat(60)}[sandbox: pace=0 tokens=1]` }]
    const first = await nodes[0]!.chat(keys[0]!, { model: 'sandbox/echo', messages: content })
    const { usage } = (await first.json()) as { usage: { prompt_tokens: number } }
    const { allowed, refused, failed, seconds } = await load(nodes, keys, { callers: 16, messages: content })
    expect([failed, refused > 0]).toEqual([0, true])
    const tokens = (allowed + 1) * usage.prompt_tokens
    // Requests in progress at the end are estimated, on the high side.
    expect(tokens).toBeLessThanOrEqual(6_000 * (1 + seconds / 60) + seconds * usage.prompt_tokens)
    expect(tokens).toBeGreaterThan(4_000)
    const left = await Promise.all(
      nodes.map(async (node) => {
        const response = await node.chat(keys[0]!, { model: 'sandbox/echo', messages: content })
        await response.text()
        return Number(response.headers.get('x-ratelimit-remaining-tokens'))
      }),
    )
    expect(Math.abs(left[0]! - left[1]!)).toBeLessThan(500)
  })

  test('make a caller wait only once, whichever node it calls next', async () => {
    const [key] = await keysOf(nodes[0]!, 1, 'free')
    let row = 0
    let waited = 0
    for (let count = 0; count < 60; count++) {
      const node = nodes[count % 2]!
      const response = await node.chat(key!, { model: 'sandbox/echo', messages })
      await response.text()
      row = response.status === 429 ? row + 1 : 0
      expect(row).toBeLessThan(2)
      if (row === 0) continue
      waited++
      const seconds = Number(response.headers.get('retry-after'))
      expect(seconds).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    }
    expect(waited).toBeGreaterThan(0)
  })

  test('do not affect other accounts', async () => {
    const [busy] = await keysOf(nodes[0]!, 1, 'many')
    const [other] = await keysOf(nodes[0]!, 1, 'many')
    const loading = load(nodes, [busy!], { ms: 1_500, messages })
    for (let count = 0; count < 5; count++) {
      const response = await nodes[count % 2]!.chat(other!, { model: 'sandbox/echo', messages })
      expect(response.status).toBe(200)
      await response.text()
    }
    expect((await loading).refused).toBeGreaterThan(0)
  })

  describe('while Redis fails', () => {
    let quick: TestNode[]
    beforeAll(async () => {
      quick = [await start(0.05), await start(0.05)]
      await Promise.all(quick.map((node) => sharing(node)))
    })
    afterAll(async () => {
      for (const node of quick) await node.stop()
    })

    const readiness = async (node: TestNode): Promise<{ status: string; checks: Record<string, unknown> }> =>
      (await (await fetch(`${node.origin}/readyz`)).json()) as never
    const sharing = (node: TestNode): Promise<void> =>
      vi.waitFor(
        async () => expect((await readiness(node)).checks['redis']).toEqual({ status: 'ok' }),
        20_000,
      )

    test.each([
      ['killed', () => redis.kill(), () => redis.start()],
      ['halted', async () => redis.pause(), async () => redis.resume()],
    ])(
      'serve all requests with Redis %s under load, and use it again once it is back',
      async (_, fail, mend) => {
        const keys = await keysOf(nodes[0]!, 20, 'many')
        await load(quick, keys, { ms: 300, messages, untilRefused: false })
        const loading = load(quick, keys, { messages, untilRefused: false })
        await new Promise((resolve) => setTimeout(resolve, 700))
        await fail()
        await vi.waitFor(async () => {
          for (const node of quick) {
            const { status, checks } = await readiness(node)
            expect([status, checks['redis']]).toEqual([
              'degraded',
              expect.objectContaining({ status: 'degraded', message: expect.stringContaining('Redis') }),
            ])
          }
        }, 20_000)
        const metrics = await (await quick[0]!.metrics()).text()
        expect(metrics).toMatch(/^turnpike_limits_shared 0$/m)
        expect(metrics).toMatch(/^turnpike_limit_redis_failures_total [1-9]/m)
        const { allowed, failed } = await loading
        expect(failed).toBe(0)
        expect(allowed).toBeGreaterThan(0)
        // Meanwhile, each node enforces the burst on its own.
        const [key] = await keysOf(nodes[0]!, 1, 'many')
        const alone = await load([quick[0]!], [key!], { ms: 1_500, messages })
        expect(alone.refused).toBeGreaterThan(0)
        expect(alone.allowed).toBeLessThanOrEqual(burst * (1 + alone.seconds) + 1)
        await mend()
        await Promise.all(quick.map((node) => sharing(node)))
        expect(await (await quick[0]!.metrics()).text()).toMatch(/^turnpike_limits_shared 1$/m)
      },
    )
  })
})
