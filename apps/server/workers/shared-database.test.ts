import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { formatUsd, parseUsd } from '@turnpike/billing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { randomFrom, randomSeed } from '../../../packages/storage/testing/random.ts'
import { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'
import { suiteVendor } from '../../../tests/nodes/suite.ts'
import { processesOf } from './testing/processes.ts'

const secret = 'secret of some workers'
const patience = { timeout: 60_000, interval: 200 }
const priceUsd = '0.001'

interface NewKey {
  accountId: string
  id: string
  raw: string
}

describe.skipIf(process.platform === 'win32')('workers on the embedded database', () => {
  const vendor = suiteVendor()
  let gateway: GatewayProcess

  beforeAll(async () => {
    gateway = await GatewayProcess.create(
      {
        admin: { internal_secret: secret },
        providers: { vendor: { style: 'openai', base_url: vendor.baseUrl() } },
        models: { 'vendor/echo': { pricing: { prompt: '0', completion: priceUsd } } },
        // A killed worker returns its leases when it restarts, or else after this time.
        billing: { lease_seconds: 10 },
        routing: { breaker: { enabled: false } },
      },
      ['start', '--workers', '2'],
    )
  })
  afterAll(() => gateway.remove())

  async function admin<Body>(path: string, method = 'GET', body?: unknown): Promise<Body> {
    const response = await fetch(`${gateway.origin}/api/v1/admin${path}`, {
      method,
      headers: { 'x-internal-secret': secret, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text) as Body
  }

  async function createKey(creditUsd: string): Promise<NewKey> {
    const { id: accountId } = await admin<{ id: string }>('/accounts', 'POST', {
      email: `w${Math.random()}@turnpike.test`,
    })
    const key = await admin<{ id: string; raw: string }>(`/accounts/${accountId}/keys`, 'POST', { name: 'w' })
    const credit = { amount_usd: creditUsd, key_id: key.id, kind: 'grant', reason: 'test' }
    await admin(`/accounts/${accountId}/credits`, 'POST', credit)
    return { accountId, ...key }
  }

  const balanceOf = async ({ accountId, id }: NewKey): Promise<bigint> =>
    parseUsd((await admin<{ balance_usd: string }>(`/accounts/${accountId}/keys/${id}`)).balance_usd)

  /** Sends a request on a new connection, which either worker may accept; 0 if the connection breaks. */
  function ask({ raw }: NewKey): Promise<number> {
    const content = 'go on [sandbox: tokens=1 pace=0]'
    const body = { model: 'vendor/echo', max_completion_tokens: 1, messages: [{ role: 'user', content }] }
    return new Promise((resolve) => {
      const headers = { authorization: `Bearer ${raw}`, 'content-type': 'application/json' }
      const agent = new Agent({ keepAlive: false })
      const url = `${gateway.origin}/v1/chat/completions`
      const call = request(url, { method: 'POST', headers, agent }, (response) => {
        response.resume()
        response.once('end', () => resolve(response.statusCode ?? 0))
        response.once('error', () => resolve(0))
      })
      call.once('error', () => resolve(0))
      call.end(JSON.stringify(body))
    })
  }

  const askMany = (key: NewKey, times: number): Promise<number[]> =>
    Promise.all(Array.from({ length: times }, () => ask(key)))

  /** A killed worker's rows are in the database once its successor serves. */
  async function expectTrueBooks(): Promise<void> {
    await vi.waitFor(async () => {
      const { workers, database } = processesOf(gateway)
      expect([workers.length, database]).toEqual([2, expect.any(Number)])
      expect([...(await sums('turnpike_open_requests')).keys()].toSorted()).toEqual(['1', '2'])
      expect(await admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
    }, patience)
  }

  /** The sums of a metric by worker; a worker that does not serve yet is missing. */
  async function sums(name: string): Promise<Map<string, number>> {
    const response = await fetch(`${gateway.origin}/metrics`, { headers: { 'x-internal-secret': secret } })
    const found = new Map<string, number>()
    const pattern = new RegExp(`^${name}\\{[^}]*worker="(\\d)"[^}]*\\} (\\d+)$`, 'gm')
    for (const [, worker, value] of (await response.text()).matchAll(pattern))
      found.set(worker!, (found.get(worker!) ?? 0) + Number(value))
    return found
  }

  /** Uses the key until both workers have it in memory. Returns the number of requests. */
  async function useWithBoth(key: NewKey): Promise<number> {
    const before = await sums('turnpike_requests_total')
    let answered = 0
    await vi.waitFor(async () => {
      answered += (await askMany(key, 20)).filter((status) => status === 200).length
      const after = await sums('turnpike_requests_total')
      for (const worker of ['1', '2']) expect(after.get(worker)).toBeGreaterThan(before.get(worker) ?? 0)
    }, patience)
    return answered
  }

  it('refuse a key at once that one of them has revoked', async () => {
    const key = await createKey('10')
    await useWithBoth(key)
    await admin(`/accounts/${key.accountId}/keys/${key.id}`, 'DELETE')
    expect(new Set(await askMany(key, 40))).toEqual(new Set([401]))
    await expectTrueBooks()
  })

  it('spend one credit completely and no further, wherever it is leased', async () => {
    const key = await createKey(formatUsd(parseUsd(priceUsd) * 60n))
    const statuses: number[] = []
    for (let round = 0; round < 40 && statuses.filter((status) => status === 200).length < 60; round++)
      statuses.push(...(await askMany(key, 8)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    expect(new Set(await askMany(key, 8))).toEqual(new Set([402]))
    await expectTrueBooks()
    // The rows of the other worker follow within a second.
    await vi.waitFor(async () => expect(await balanceOf(key)).toBe(0n), patience)
  })

  it('never spend more than the credit, whichever process is killed', async () => {
    const seed = randomSeed()
    const random = randomFrom(seed)
    const below = (bound: number): number => Math.floor(random() * bound)
    const creditRequests = 400
    const key = await createKey(formatUsd(parseUsd(priceUsd) * BigInt(creditRequests)))
    let answered = await useWithBoth(key)
    const victims: string[] = []
    const over = new AbortController()
    const killing = (async () => {
      for (let round = 0; round < 6; round++) {
        await delay(300 + below(900))
        const { workers, database } = processesOf(gateway)
        const which = ['worker', 'database', 'both'][below(3)]!
        victims.push(which)
        const worker = workers[below(workers.length)]
        if (which !== 'database' && worker !== undefined && !Number.isNaN(worker))
          process.kill(worker, 'SIGKILL')
        if (which !== 'worker' && database !== undefined) process.kill(database, 'SIGKILL')
      }
      over.abort()
    })()
    const client = async (): Promise<void> => {
      while (!over.signal.aborted) {
        if ((await ask(key)) === 200) answered++
        await delay(20)
      }
    }
    await Promise.all([killing, ...Array.from({ length: 8 }, client)])
    const seen = `seed ${seed}, killed: ${victims.join(', ')}, answered: ${answered}`
    await expectTrueBooks()
    // A killed worker may have charged for an answer that its client did not receive completely.
    await vi.waitFor(async () => {
      const spent = BigInt(creditRequests) - (await balanceOf(key)) / parseUsd(priceUsd)
      expect(spent, seen).toBeGreaterThanOrEqual(BigInt(answered))
    }, patience)
    await delay(1_500)
    expect(await balanceOf(key), seen).toBeGreaterThanOrEqual(0n)
    await expectTrueBooks()
    expect(gateway.stderr).toContain('process exited: restarting it')
  })

  it('end together, the database last, and leave no socket', async () => {
    expect(await gateway.end('SIGTERM'), gateway.stderr).toBe(0)
    expect(gateway.stderr).not.toContain('stopped uncleanly')
    const folders = readdirSync(join(gateway.directory, '.turnpike'))
    expect(folders.filter((name) => name.startsWith('socket'))).toEqual([])
    await gateway.start()
    await expectTrueBooks()
  })
})
