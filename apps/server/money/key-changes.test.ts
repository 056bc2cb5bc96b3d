import { formatUsd, parseUsd } from '@turnpike/billing'
import { describe, expect, it } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import type { TestKey } from '../../../tests/nodes/test-node.ts'
import { suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'
import { fixedCost, requestBody, requestPico } from './testing/fixed-cost.ts'

interface Account {
  balance_usd: string
  unassigned_usd: string
}

describe.each(databases())('credit that moves while requests are in flight, on $engine', ({ create }) => {
  const node = suiteFleet(create, 1, fixedCost).nodes[0]!

  const ask = (key: TestKey, pace = '0'): Promise<Response> =>
    node.chat(key, { ...requestBody(pace), stream: true })

  /** Starts this many answers, each of which takes half a second. */
  async function begin(key: TestKey, count: number): Promise<{ end(): Promise<number[]> }> {
    const responses = await Promise.all(Array.from({ length: count }, () => ask(key, '60/s')))
    const end = async (response: Response): Promise<number> => {
      const text = await response.text()
      return response.status === 200 && !text.endsWith('data: [DONE]\n\n') ? 0 : response.status
    }
    return { end: () => Promise.all(responses.map(end)) }
  }

  const post = <Body>(key: TestKey, path: string, body: object): Promise<Body> =>
    node.admin<Body>(`/accounts/${key.accountId}${path}`, { method: 'POST', body })

  async function balanceOf(accountId: string, keyId: string): Promise<string> {
    return (await node.admin<Account>(`/accounts/${accountId}/keys/${keyId}`)).balance_usd
  }

  async function expectTrueBooks(key: TestKey, grantedUsd: string, charged: number): Promise<void> {
    const { balance_usd: balance, unassigned_usd: unassigned } = await node.admin<Account>(
      `/accounts/${key.accountId}`,
    )
    const leftPico = parseUsd(grantedUsd) - requestPico * BigInt(charged)
    expect(formatUsd(parseUsd(balance) + parseUsd(unassigned))).toBe(formatUsd(leftPico))
    expect(await node.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
  }

  it('follows a revoked key: running requests are charged where the credit went', async () => {
    const heir = await node.createKey({ creditUsd: '0' })
    const key = await node.createKey({ accountId: heir.accountId, creditUsd: '1' })
    const running = await begin(key, 5)
    await node.admin(`/accounts/${key.accountId}/keys/${key.id}`, { method: 'DELETE' })
    expect((await ask(key)).status).toBe(401)
    expect(await running.end()).toEqual([200, 200, 200, 200, 200])
    await expectTrueBooks(key, '1', 5)
    expect(await balanceOf(key.accountId, key.id)).toBe(formatUsd(parseUsd('0')))
    expect(await balanceOf(key.accountId, heir.id)).toBe(formatUsd(parseUsd('1') - requestPico * 5n))
  })

  it('waits unassigned if the last key is revoked, and goes to the next key', async () => {
    const key = await node.createKey({ creditUsd: '1' })
    const running = await begin(key, 3)
    await node.admin(`/accounts/${key.accountId}/keys/${key.id}`, { method: 'DELETE' })
    expect(await running.end()).toEqual([200, 200, 200])
    await expectTrueBooks(key, '1', 3)
    const account = await node.admin<Account>(`/accounts/${key.accountId}`)
    expect(account).toMatchObject({
      balance_usd: '0',
      unassigned_usd: formatUsd(parseUsd('1') - requestPico * 3n),
    })
    const next = await post<{ balance_usd: string }>(key, '/keys', { name: 'next' })
    expect(next.balance_usd).toBe(account.unassigned_usd)
  })

  it('follows a rotated key at once: running requests charge the new key', async () => {
    const key = await node.createKey({ creditUsd: '1' })
    const running = await begin(key, 4)
    const made = await post<{ id: string; raw: string; name: string }>(key, `/keys/${key.id}/rotate`, {})
    expect(made.name).toBe('test')
    const fresh = { ...key, ...made }
    expect((await ask(key)).status).toBe(401)
    expect(await (await ask(fresh)).text()).toContain('[DONE]')
    expect(await running.end()).toEqual([200, 200, 200, 200])
    await expectTrueBooks(key, '1', 5)
    expect(await balanceOf(key.accountId, fresh.id)).toBe(formatUsd(parseUsd('1') - requestPico * 5n))
    await expect(post(key, `/keys/${key.id}/rotate`, {})).rejects.toThrow(`409`)
  })

  it('serves both secrets during a rotation’s grace period, to the last request it covers', async () => {
    const covered = 30
    const creditUsd = formatUsd(requestPico * BigInt(covered))
    const key = await node.createKey({ creditUsd })
    const early = Array.from({ length: 10 }, () => ask(key))
    const made = await post<{ id: string; raw: string }>(key, `/keys/${key.id}/rotate`, {
      grace_seconds: 600,
    })
    const fresh = { ...key, ...made }
    const late = Array.from({ length: 20 }, (_, index) => ask(index % 2 === 0 ? key : fresh))
    const responses = await Promise.all([...early, ...late])
    for (const response of responses) expect(await response.text()).toContain('[DONE]')
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: covered }, () => 200))
    await expectTrueBooks(key, creditUsd, covered)
    for (const secret of [key, fresh]) expect((await ask(secret)).status).toBe(402)
  })

  it('is closed to the old secret when the grace period ends', async () => {
    const key = await node.createKey()
    const made = await post<{ id: string; raw: string }>(key, `/keys/${key.id}/rotate`, { grace_seconds: 1 })
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect((await ask(key)).status).toBe(401)
    expect((await ask({ ...key, ...made })).status).toBe(200)
  })

  it('goes to the new key at the next start if the grace period ends while nothing runs', async () => {
    const key = await node.createKey()
    await post(key, `/keys/${key.id}/rotate`, { grace_seconds: 3_600 })
    const path = `/accounts/${key.accountId}/keys/${key.id}`
    const { status, expires_at: expiresAt } = await node.admin<{ status: string; expires_at: number }>(path)
    expect([status, expiresAt > Date.now() / 1000 + 3_500]).toEqual(['active', true])
    expect(await node.storage.apiKeys.revokeDue(expiresAt * 1000 + 1_000)).toContain(key.id)
    expect(await node.admin(path)).toMatchObject({ status: 'revoked' })
  })

  it('is neither lost nor spent twice in transfers to and fro', async () => {
    const left = await node.createKey({ creditUsd: '1' })
    const right = await node.createKey({ accountId: left.accountId, creditUsd: '1' })
    let charged = 0
    const load = Array.from({ length: 6 }, async (_, client) => {
      for (let count = 0; count < 15; count++) {
        const response = await ask(client % 2 === 0 ? left : right)
        await response.text()
        if (response.status === 200) charged++
        else expect([402, 429]).toContain(response.status)
      }
    })
    const moves = Array.from({ length: 12 }, async (_, move) => {
      const [from, to] = move % 2 === 0 ? [left, right] : [right, left]
      const body = { to_key_id: to.id, amount_usd: '0.3' }
      await post(from, `/keys/${from.id}/transfer`, body).catch((error: unknown) => {
        expect(String(error)).toMatch(/: 402 /)
      })
    })
    await Promise.all([...load, ...moves])
    await expectTrueBooks(left, '2', charged)
  })

  it('is refused with 402 after a refund beyond the balance, until it is covered', async () => {
    const key = await node.createKey({ creditUsd: '1' })
    const answered = await ask(key)
    expect(answered.status).toBe(200)
    await answered.text()
    const refund = { amount_usd: '3', kind: 'refund', reason: 'the customer was refunded' }
    await post(key, '/credits', refund)
    const refused = await ask(key)
    const balance = formatUsd(parseUsd('-2') - requestPico)
    // The charge of the first request may not be posted yet.
    expect([refused.status, await refused.text()]).toEqual([
      402,
      expect.stringMatching(/credit of -2(\.\d+)? USD/),
    ])
    const account = () => node.admin<Account>(`/accounts/${key.accountId}`)
    await expect.poll(async () => (await account()).balance_usd, { timeout: 15_000 }).toBe(balance)
    await post(key, '/credits', { amount_usd: '2', kind: 'grant', reason: 'not enough' })
    expect((await ask(key)).status).toBe(402)
    await post(key, '/credits', { amount_usd: '1', kind: 'grant', reason: 'enough' })
    expect((await ask(key)).status).toBe(200)
  })

  it('has corrections that point to the entry that they correct', async () => {
    const key = await node.createKey({ creditUsd: '1' })
    await (await ask(key)).text()
    const ledger = await node.admin<{ data: { id: string; kind: string }[] }>(
      `/accounts/${key.accountId}/ledger`,
    )
    const usage = ledger.data.find(({ kind }) => kind === 'usage')!
    const body = { amount_usd: formatUsd(requestPico), kind: 'adjustment', reason: 'r', corrects: usage.id }
    expect(await post(key, '/credits', body)).toMatchObject({ corrects: usage.id, kind: 'adjustment' })
    expect(await balanceOf(key.accountId, key.id)).toBe('1')
    await expect(post(key, '/credits', { ...body, kind: 'grant' })).rejects.toThrow(/400 .*corrects/)
    const unknown = `led_${'0'.repeat(26)}`
    await expect(post(key, '/credits', { ...body, corrects: unknown })).rejects.toThrow(/404 .*corrects/)
  })
})
