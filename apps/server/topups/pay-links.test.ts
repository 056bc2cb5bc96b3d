import { describe, expect, it } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { echoing, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'

interface Refusal {
  reason: string
  needed_usd: string
  balance_usd: string
  checkout_url?: string
  poll_url?: string
}

describe.each(databases())('the link of a 402, on $engine', ({ engine, create }) => {
  const fleet = suiteFleet(create, engine === 'SQLite' ? 1 : 2, echoing('0.00001'))
  const node = fleet.nodes[0]!

  const ask = (key: TestKey, maxTokens = 30_000): Promise<Response> =>
    node.chat(key, {
      model: 'vendor/echo',
      // Below the smallest top-up, the link's amount is that minimum.
      max_tokens: maxTokens,
      messages: [{ role: 'user', content: 'go on [sandbox: tokens=5 pace=0]' }],
    })

  async function refusal(key: TestKey, maxTokens?: number): Promise<Refusal> {
    const response = await ask(key, maxTokens)
    expect(response.status).toBe(402)
    return ((await response.json()) as { error: { metadata: Refusal } }).error.metadata
  }

  /** The link's address on a given node. */
  const at = (url: string, on = fleet.nodes.at(-1)!): string => `${on.origin}${new URL(url).pathname}`
  const open = (url: string, on?: TestNode): Promise<Response> => fetch(at(url, on), { redirect: 'manual' })
  const poll = async (url: string): Promise<unknown> => (await fetch(at(url))).json()

  /** Presses `pay` on the sandbox's page. */
  async function pay(checkout: string): Promise<void> {
    const page = await fetch(at(checkout))
    const cookie = page.headers.get('set-cookie')!.split(';')[0]!
    const [, token] = /name="token" value="([^"]+)"/.exec(await page.text()) as unknown as [string, string]
    const paid = await fetch(at(checkout), {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, decision: 'pay' }).toString(),
    })
    expect(paid.status).toBe(303)
  }

  it('leads to a checkout; once it is paid, the same request succeeds', async () => {
    const key = await node.createKey({ creditUsd: '0' })
    const { checkout_url: checkoutUrl, poll_url: pollUrl, ...metadata } = await refusal(key)
    expect(metadata).toEqual({
      reason: 'credit',
      needed_usd: expect.stringMatching(/^0\.0[34]\d*$/),
      balance_usd: '0',
    })
    expect(await poll(pollUrl!)).toEqual({
      object: 'topup_link',
      status: 'open',
      paid: false,
      balance_covers: false,
    })
    const opened = await open(checkoutUrl!)
    expect([opened.status, opened.headers.get('cache-control')]).toEqual([303, 'no-store'])
    await pay(opened.headers.get('location')!)
    expect(await poll(pollUrl!)).toMatchObject({ status: 'paid', paid: true, balance_covers: true })
    await expect.poll(async () => (await ask(key)).status).toBe(200)
  })

  it('opens one checkout per key, however often, also at once and with several links', async () => {
    const key = await node.createKey({ creditUsd: '0' })
    const links = [await refusal(key), await refusal(key, 40_000), await refusal(key)]
    expect(links[0]!.checkout_url).toBe(links[2]!.checkout_url)
    const answers = await Promise.all(
      [...links, ...links, ...links].map((link, index) =>
        open(link.checkout_url!, fleet.nodes[index % fleet.nodes.length]),
      ),
    )
    const locations = new Set(answers.map((one) => new URL(one.headers.get('location')!).pathname))
    expect([...new Set(answers.map(({ status }) => status)), locations.size]).toEqual([303, 1])
    const { rows } = await node.storage.topups.list(key.accountId, { limit: 10 })
    expect(rows).toHaveLength(1)
  })

  it('is for the missing amount, and opens another checkout if that grows', async () => {
    const key = await node.createKey({ creditUsd: '0.001' })
    const small = await refusal(key)
    await open(small.checkout_url!)
    const account = await node.storage.accounts.find(key.accountId)
    expect(account).toBeDefined()
    const amounts = async (): Promise<unknown> =>
      (await node.storage.topups.list(key.accountId, { limit: 10 })).rows.map(({ amountPico, expired }) => [
        Number(amountPico / 10_000_000_000n),
        expired,
      ])
    expect(await amounts()).toEqual([[500, false]])
    await node.admin(`/accounts/${key.accountId}/credits`, {
      method: 'POST',
      body: { amount_usd: '7.005', kind: 'refund', reason: 'goes below zero' },
    })
    await expect.poll(async () => (await refusal(key)).balance_usd).toBe('-7.004')
    await open((await refusal(key)).checkout_url!)
    expect(await amounts()).toEqual([
      [expect.toSatisfy((cents: number) => cents >= 701 && cents <= 706), false],
      [500, true],
    ])
  })

  it('is not in responses to keys that may not pay, or if money does not help', async () => {
    const key = await node.createKey({ creditUsd: '0' })
    const path = `/accounts/${key.accountId}/keys/${key.id}`
    await node.admin(path, { method: 'PATCH', body: { may_top_up: false } })
    await expect.poll(async () => (await refusal(key)).checkout_url).toBeUndefined()
    await node.admin(path, { method: 'PATCH', body: { may_top_up: null } })
    await expect.poll(async () => (await refusal(key)).checkout_url).toBeDefined()
    const limited = await node.createKey({ creditUsd: '1' })
    await node.admin(`/accounts/${limited.accountId}/keys/${limited.id}`, {
      method: 'PATCH',
      body: { spend_limit_usd: '0.0001', spend_limit_period: 'total' },
    })
    expect(await refusal(limited)).toMatchObject({ reason: 'key_limit' })
    expect(await refusal(limited)).not.toHaveProperty('checkout_url')
  })

  it('is invalid if somebody has changed it', async () => {
    const key = await node.createKey({ creditUsd: '0' })
    const url = (await refusal(key)).checkout_url!
    const token = new URL(url).pathname.slice('/pay/'.length)
    const bytes = Buffer.from(token, 'base64url')
    const changed = Array.from(bytes, (byte, at) => {
      const other = Buffer.from(bytes)
      other[at] = byte ^ 1
      return other.toString('base64url')
    }).filter((_other, at) => at % 8 === 0)
    const others = [
      'x',
      token.slice(0, -1),
      `${token}0`,
      `${token}=`,
      'A'.repeat(token.length),
      ...changed,
      encodeURIComponent(`${token}/../..`),
    ]
    for (const other of others) {
      for (const path of [`/pay/${other}`, `/api/v1/public/topup-links/${other}`])
        expect([path, (await fetch(`${node.origin}${path}`, { redirect: 'manual' })).status]).toEqual([
          path,
          404,
        ])
    }
    expect((await node.storage.topups.list(key.accountId, { limit: 10 })).rows).toEqual([])
  })

  it('reveals nothing of the account to strangers', async () => {
    const key = await node.createKey({ creditUsd: '0.0123' })
    const { checkout_url: url, needed_usd: needed } = await refusal(key)
    const token = new URL(url!).pathname.slice('/pay/'.length)
    const linkTexts = [token, Buffer.from(token, 'base64url').toString('latin1')].join('\n')
    const pico = BigInt(Math.round(Number(needed) * 1e12))
    for (const secret of [key.accountId.slice(5), key.id.slice(4), String(pico), pico.toString(36)])
      expect(linkTexts).not.toContain(secret)
    expect(Object.keys((await poll(url!.replace('/pay/', '/api/v1/public/topup-links/'))) as object)).toEqual(
      ['object', 'status', 'paid', 'balance_covers'],
    )
  })

  it('causes no call of the processor, however many 402s a caller provokes', async () => {
    const key = await node.createKey({ creditUsd: '0' })
    const links = new Set<string>()
    for (let times = 0; times < 20; times++) links.add((await refusal(key)).checkout_url!)
    expect(links.size).toBeLessThanOrEqual(2)
    expect((await node.storage.topups.list(key.accountId, { limit: 10 })).rows).toEqual([])
  })

  it('opens nothing for an account that is suspended', async () => {
    const key = await node.createKey({ creditUsd: '0' })
    const url = (await refusal(key)).checkout_url!
    await node.admin(`/accounts/${key.accountId}`, { method: 'PATCH', body: { status: 'suspended' } })
    expect((await open(url)).status).toBe(404)
  })

  it('can be opened a few times a minute, and then returns 429', async () => {
    const key = await node.createKey({ creditUsd: '0' })
    const url = (await refusal(key)).checkout_url!
    const statuses: number[] = []
    for (let times = 0; times < 12; times++) statuses.push((await open(url, node)).status)
    expect(statuses).toEqual([...Array<number>(10).fill(303), 429, 429])
  })
})
