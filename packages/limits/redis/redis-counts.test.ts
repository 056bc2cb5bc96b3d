import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { randomFrom, randomSeed } from '../../storage/testing/random.ts'
import { AccountCounts, addAll, counterName, takeAll, type Counter } from '../account-counts.ts'
import { drain } from '../bucket.ts'
import { limitsOfTier } from '../limits.ts'
import { RedisServer } from '../testing/redis-server.ts'
import { RedisCounts } from './redis-counts.ts'
import { countScript } from './script.ts'

const program = inject('redisProgram')
const seed = randomSeed()
/** A loaded machine may be slow, which these tests do not test. */
const patientMs = 5_000
const clockLines = /local time = .*\nlocal now = .*\n/
const expiry = /, 'PX', .*(?=\)\n)/

describe.skipIf(program === null)('counters in Redis', () => {
  let server: RedisServer
  let client: Redis
  let counts: RedisCounts
  const changes: boolean[] = []

  const open = (timeoutMs: number): Promise<RedisCounts> =>
    RedisCounts.open({ url: server.url, timeoutMs, onChange: (isUp) => changes.push(isUp) })

  beforeAll(async () => {
    server = await RedisServer.start(program!)
    client = new Redis(server.url)
    client.on('error', () => undefined)
    counts = await open(patientMs)
  })
  afterAll(async () => {
    counts.close()
    client.disconnect()
    await server.remove()
  })

  const countersOf = (accountId: string, perMinute: number): readonly Counter[] =>
    new AccountCounts(accountId).countersOf(
      limitsOfTier({
        name: 'free',
        lifetimeTopupPico: null,
        models: new Map(),
        requestsPerMinute: perMinute,
        inputTokensPerMinute: perMinute * 1_000,
      }),
      0,
    )

  test('take from all or from none, and report the debt', async () => {
    const counters = countersOf('acct_take', 3)
    expect(counts.isUp).toBe(true)
    expect(await counts.take(counters, [1, 2_000])).toMatchObject({ short: -1, waitMs: 0 })
    const refused = await counts.take(counters, [1, 2_000])
    expect(refused).toMatchObject({ short: 1 })
    expect(refused!.waitMs).toBeGreaterThan(19_000)
    const [requests] = refused!.owedUnits
    expect(requests! / 60_000).toBeLessThanOrEqual(1)
    counts.add(counters, [0, -2_000])
    expect(await counts.take(counters, [1, 2_000])).toMatchObject({ short: -1 })
  })

  test('expire once nothing is owed, and are in one slot of a cluster', async () => {
    const counters = countersOf('acct_gone', 600)
    await counts.take(counters, [5, 5_000])
    const keys = await client.keys('turnpike:limits:{acct_gone}*')
    expect(keys.toSorted()).toEqual([
      'turnpike:limits:{acct_gone}:input-tokens',
      'turnpike:limits:{acct_gone}:requests',
    ])
    for (const name of keys) expect(await client.pttl(name)).toBeLessThanOrEqual(500)
    await vi.waitFor(async () => expect(await client.exists(...keys)).toBe(0), 20_000)
  })

  /** Runs the same script at a time that the test chooses, at which the server's clock expires no keys. */
  const runAt = async (
    nowMs: number,
    mode: 'take' | 'add',
    counters: readonly Counter[],
    tokens: readonly number[],
  ): Promise<number[]> => {
    for (const replaced of [clockLines, expiry]) expect(countScript).toMatch(replaced)
    const now = 'local now = tonumber(ARGV[#ARGV])\n'
    const script = countScript.replace(clockLines, now).replace(expiry, '')
    const names = counters.map(({ name }) => name)
    const values = counters.flatMap(({ limit }, index) => [
      limit.perMinute,
      limit.capacity * 60_000,
      tokens[index]! * 60_000,
    ])
    return (await client.eval(script, names.length, ...names, mode, ...values, nowMs)) as number[]
  }

  test('count the same in Redis and in memory', async () => {
    const random = randomFrom(seed)
    for (let round = 0; round < 20; round++) {
      const counters = countersOf(`acct_same_${round}`, Math.ceil(1_000_000 ** random()))
      let nowMs = 1_700_000_000_000
      for (let count = 0; count < 60; count++) {
        nowMs += Math.floor(random() ** 4 * 10_000)
        const mode = random() < 0.2 ? 'add' : 'take'
        const share = (): number => (mode === 'add' ? random() - 0.7 : random() ** 3)
        const tokens = counters.map(({ limit }) => Math.round(limit.capacity * share()))
        if (mode === 'add') {
          for (const { bucket, limit } of counters) drain(bucket, limit, nowMs)
          addAll(counters, tokens)
        }
        const here = mode === 'add' ? undefined : takeAll(counters, tokens, nowMs)
        const place = `seed ${seed}, round ${round}, step ${count}`
        expect(await runAt(nowMs, mode, counters, tokens), place).toEqual([
          counters.findIndex(({ limit }) => limit === here?.limit) + 1,
          here?.waitMs ?? 0,
          ...counters.map(({ bucket }) => bucket.owedUnits),
        ])
      }
    }
  })

  test('continue to drain if the server’s clock is set back', async () => {
    const counters = countersOf('acct_back', 60)
    const nowMs = 1_700_000_000_000
    expect(await runAt(nowMs, 'take', counters, [60, 0])).toMatchObject({ 0: 0, 1: 0 })
    expect(await runAt(nowMs - 3_600_000, 'take', counters, [1, 0])).toMatchObject({ 0: 1, 1: 1_000 })
    expect(await runAt(nowMs - 3_599_000, 'take', counters, [1, 0])).toMatchObject({ 0: 0, 1: 0 })
  })

  test('work on a server that has not loaded the script', async () => {
    await client.script('FLUSH')
    expect(await counts.take(countersOf('acct_script', 3), [1, 1])).toMatchObject({ short: -1 })
    expect(counts.isUp).toBe(true)
  })

  test.each([
    ['is killed and started again', () => server.kill(), () => server.start()],
    ['does not respond for a while', async () => server.pause(), async () => server.resume()],
  ])('are given up at once when the server %s, and come back', async (_, fail, mend) => {
    const quick = await open(50)
    const counters = countersOf('acct_away', 1_000)
    expect(await quick.take(counters, [1, 1])).toBeDefined()
    const { failures } = quick.tally
    await fail()
    expect(await quick.take(counters, [1, 1])).toBeUndefined()
    expect([quick.isUp, quick.tally.failures]).toEqual([false, failures + 1])
    quick.add(counters, [0, 1])
    expect(quick.tally.lostCorrections).toBe(1)
    // Long enough for connections to be given up and opened again.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(quick.isUp).toBe(false)
    await mend()
    await vi.waitFor(() => expect(quick.isUp).toBe(true), 15_000)
    expect(await quick.take(counters, [1, 1])).toBeDefined()
    quick.close()
    await vi.waitFor(() => expect(counts.isUp).toBe(true), 15_000)
  })

  test('without a server are retried for ever, and do not delay the start', async () => {
    await server.kill()
    changes.length = 0
    const early = await open(50)
    expect([early.isUp, changes]).toEqual([false, [false]])
    await server.start()
    await vi.waitFor(() => expect(early.isUp).toBe(true), 15_000)
    expect(changes).toContain(true)
    early.close()
    await vi.waitFor(() => expect(counts.isUp).toBe(true), 15_000)
  })

  test('cannot be on a replica, which is read-only', async () => {
    const quick = await open(patientMs)
    await client.replicaof('127.0.0.1', '1')
    expect(await quick.take(countersOf('acct_replica', 3), [1, 1])).toBeUndefined()
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(quick.isUp).toBe(false)
    await client.replicaof('NO', 'ONE')
    await vi.waitFor(() => expect(quick.isUp).toBe(true), 15_000)
    quick.close()
  })

  test('have names that distinguish accounts', () => {
    expect(counterName('acct_1', 'requests')).toBe('turnpike:limits:{acct_1}:requests')
  })
})
