import { describe, expect, it } from 'vitest'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { layouts, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'
import { fixedCost, requestBody } from './testing/fixed-cost.ts'

describe.each(layouts)('a 402, on $engine with $nodes node(s)', ({ create, nodes }) => {
  const fleet = suiteFleet(create, nodes, fixedCost)
  const node = fleet.nodes[0]!

  async function ask(key: TestKey): Promise<{ status: number; message: string }> {
    const response = await node.chat(key, requestBody())
    const { error } = (await response.json()) as { error?: { message: string } }
    return { status: response.status, message: error?.message ?? '' }
  }

  /** Waits, because the oldest key is the default key, and keys of the same millisecond have no order. */
  async function makeKey(options: Parameters<TestNode['createKey']>[0]): Promise<TestKey> {
    const key = await node.createKey(options)
    await new Promise((done) => setTimeout(done, 2))
    return key
  }

  it('names the key whose credit is too low', async () => {
    const payer = await makeKey({ creditUsd: '0.0001' })
    const key = await makeKey({ accountId: payer.accountId, drawsOn: payer.id })
    const { status, message } = await ask(key)
    expect(status).toBe(402)
    expect(message).toMatch(
      new RegExp(
        `^The 0.0001 USD of credit that this key uses from ${payer.id} does not cover this request, ` +
          String.raw`which may cost up to 0\.\d+ USD\. Top up the account \(POST /api/v1/topup\)`,
      ),
    )
    expect((await ask(payer)).message).toMatch(/^The key's credit of 0\.0001 USD does not cover/)
  })

  it('names a key of the account that has enough, and using that key works', async () => {
    const rich = await makeKey({ creditUsd: '1' })
    const poor = await makeKey({ accountId: rich.accountId, creditUsd: '0' })
    const { status, message } = await ask(poor)
    expect(status).toBe(402)
    expect(message).toContain(`${rich.id} of the account has enough: let this key use its credit (PATCH`)
    await node.admin(`/accounts/${rich.accountId}/keys/${poor.id}`, {
      method: 'PATCH',
      body: { draws_on: rich.id },
    })
    expect((await ask(poor)).status).toBe(200)
  })

  it('names the key to top up if it is not the default key', async () => {
    const { accountId } = await makeKey({ creditUsd: '0' })
    const payer = await makeKey({ accountId, creditUsd: '0' })
    const key = await makeKey({ accountId, drawsOn: payer.id })
    const words = `Top up ${payer.id} (POST /api/v1/topup, \`key_id\`)`
    expect((await ask(payer)).message).toContain(words)
    expect((await ask(key)).message).toContain(words)
  })

  it('reveals nothing of other accounts, or of keys that cannot pay', async () => {
    const stranger = await makeKey({ creditUsd: '1' })
    const key = await makeKey({ creditUsd: '0' })
    const { accountId } = key
    const drawing = await makeKey({ accountId, drawsOn: key.id })
    const gone = await makeKey({ accountId, creditUsd: '1' })
    await node.admin(`/accounts/${accountId}/keys/${gone.id}/transfer`, {
      method: 'POST',
      body: { to_key_id: (await makeKey({ accountId, creditUsd: '0' })).id, amount_usd: '0.99999' },
    })
    await node.admin(`/accounts/${accountId}/credits`, {
      method: 'POST',
      body: { amount_usd: '2', kind: 'refund', reason: 'a dispute', key_id: gone.id },
    })
    for (const one of [key, drawing]) {
      const { status, message } = await ask(one)
      expect(status).toBe(402)
      for (const { id } of [stranger, gone]) expect(message).not.toContain(id)
    }
  })
})
