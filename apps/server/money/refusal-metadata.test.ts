import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestKey, TestNode } from '../testing/test-node.ts'
import { databases } from '../testing/databases.ts'
import { echoing, startVendorFleet, type VendorFleet } from './vendor-node.ts'

const [{ create }] = databases() as [ReturnType<typeof databases>[number]]

describe('what a program reads of a 402', () => {
  let fleet: VendorFleet
  let node: TestNode

  beforeAll(async () => {
    fleet = await startVendorFleet(create, 1, echoing('0.00001'))
    node = fleet.nodes[0]!
  })
  afterAll(() => fleet.stop())

  /** The error of a request that needs 0.1 USD for its output, and a little for its input. */
  async function refused(path: string, key: TestKey, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${new URL(node.baseUrl).origin}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.raw}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    expect(response.status, JSON.stringify(error)).toBe(402)
    return error
  }

  const messages = [{ role: 'user', content: 'go on' }]
  const metadata = {
    reason: 'credit',
    needed_usd: expect.stringMatching(/^0\.0[34]\d*$/),
    balance_usd: '0.0001',
    checkout_url: expect.stringContaining('/pay/'),
    poll_url: expect.stringContaining('/api/v1/public/topup-links/'),
  }

  it('is in the envelope of each format', async () => {
    const key = await node.createKey({ creditUsd: '0.0001' })
    const model = 'vendor/echo'
    const told = [
      await refused('/v1/chat/completions', key, { model, max_tokens: 10_000, messages }),
      await refused('/v1/messages', key, { model, max_tokens: 10_000, messages }),
      await refused('/v1/responses', key, { model, max_output_tokens: 10_000, input: 'go on' }),
      await refused('/v1/completions', key, { model, max_tokens: 10_000, prompt: 'go on' }),
    ]
    for (const error of told) expect(error['metadata']).toEqual(metadata)
    const google = await refused(`/v1beta/models/${model}:generateContent`, key, {
      contents: [{ role: 'user', parts: [{ text: 'go on' }] }],
      generationConfig: { maxOutputTokens: 10_000 },
    })
    expect((google['details'] as object[])[0]).toMatchObject({ reason: 'INSUFFICIENT_QUOTA', metadata })
  })

  it('is absent of other errors', async () => {
    const key = await node.createKey({ creditUsd: '1' })
    const response = await node.chat(key, { model: 'vendor/nothing', messages })
    expect(Object.keys(((await response.json()) as { error: object }).error)).not.toContain('metadata')
  })

  it('says what of a spend limit is left, and when it begins anew', async () => {
    const key = await node.createKey({ creditUsd: '1' })
    await node.admin(`/accounts/${key.accountId}/keys/${key.id}`, {
      method: 'PATCH',
      body: { spend_limit_usd: '0.001', spend_limit_period: 'day' },
    })
    const error = await refused('/v1/chat/completions', key, {
      model: 'vendor/echo',
      max_tokens: 10_000,
      messages,
    })
    const tomorrow = Math.floor(Date.now() / 86_400_000) * 86_400 + 86_400
    expect(error['metadata']).toMatchObject({
      reason: 'key_limit',
      balance_usd: '1',
      limit: { period: 'day', limit_usd: '0.001', left_usd: '0.001', resets_at: tomorrow },
    })
  })
})
