import { describe, expect, it } from 'vitest'
import type { TestKey } from '../../../tests/nodes/test-node.ts'
import { databases } from '../../../tests/nodes/databases.ts'
import { echoing, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'

const [{ create }] = databases() as [ReturnType<typeof databases>[number]]

describe('the metadata of a 402 for programs', () => {
  const fleet = suiteFleet(create, 1, echoing('0.00001'))
  const node = fleet.nodes[0]!

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

  it('is in the error of each format', async () => {
    const key = await node.createKey({ creditUsd: '0.0001' })
    const model = 'vendor/echo'
    const errors = [
      await refused('/v1/chat/completions', key, { model, max_tokens: 10_000, messages }),
      await refused('/v1/messages', key, { model, max_tokens: 10_000, messages }),
      await refused('/v1/responses', key, { model, max_output_tokens: 10_000, input: 'go on' }),
      await refused('/v1/completions', key, { model, max_tokens: 10_000, prompt: 'go on' }),
    ]
    for (const error of errors) expect(error['metadata']).toEqual(metadata)
    const google = await refused(`/v1beta/models/${model}:generateContent`, key, {
      contents: [{ role: 'user', parts: [{ text: 'go on' }] }],
      generationConfig: { maxOutputTokens: 10_000 },
    })
    expect((google['details'] as object[])[0]).toMatchObject({ reason: 'INSUFFICIENT_QUOTA', metadata })
  })

  /** The last event of a stream that was cut because its credit was used up. */
  async function cut(path: string, body: object): Promise<Record<string, unknown>> {
    const key = await node.createKey({ creditUsd: '0.05' })
    const response = await fetch(`${new URL(node.baseUrl).origin}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.raw}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect(response.status, text).toBe(200)
    const last = text.split('\n').findLast((line) => line.startsWith('data: {'))!
    return JSON.parse(last.slice('data: '.length)) as Record<string, unknown>
  }

  it('is the same in each format if the credit runs out during a stream', async () => {
    const model = 'vendor/echo'
    const endless = 'go on [sandbox: ignore_bound tokens=20000 pace=0]'
    const messages = [{ role: 'user', content: endless }]
    const errors = [
      await cut('/v1/chat/completions', { model, stream: true, messages }),
      await cut('/v1/messages', { model, stream: true, max_tokens: 4_096, messages }),
      await cut('/v1/completions', { model, stream: true, prompt: endless }),
    ].map(({ error }) => error)
    const responses = await cut('/v1/responses', { model, stream: true, input: endless })
    errors.push((responses['response'] as { error: object }).error)
    const used = {
      ...metadata,
      needed_usd: expect.stringMatching(/^0\.0[5-9]\d*$/),
      balance_usd: expect.stringMatching(/^0\.0[45]\d*$/),
    }
    for (const error of errors) expect((error as { metadata: object }).metadata).toEqual(used)
    const google = await cut(`/v1beta/models/${model}:streamGenerateContent?alt=sse`, {
      contents: [{ role: 'user', parts: [{ text: endless }] }],
    })
    const { details } = google['error'] as { details: object[] }
    expect(details[0]).toMatchObject({ reason: 'INSUFFICIENT_QUOTA', metadata: used })
  })

  it('is the same if an answer exceeds its bound and the credit does not cover the rest', async () => {
    const key = await node.createKey({ creditUsd: '0.001' })
    const error = await refused('/v1/chat/completions', key, {
      model: 'vendor/echo',
      max_tokens: 10,
      messages: [{ role: 'user', content: 'go on [sandbox: pace=0 ignore_bound tokens=3000]' }],
    })
    expect(error['metadata']).toEqual({
      ...metadata,
      needed_usd: expect.stringMatching(/^0\.0\d+$/),
      balance_usd: '0.001',
    })
  })

  it('names the key to top up, and another key that has enough', async () => {
    const first = await node.createKey({ creditUsd: '1' })
    const { accountId } = first
    const second = await node.createKey({ accountId, creditUsd: '0' })
    const drawing = await node.createKey({ accountId, drawsOn: second.id })
    for (const key of [second, drawing]) {
      const body = { model: 'vendor/echo', max_tokens: 10_000, messages }
      const error = await refused('/v1/chat/completions', key, body)
      expect(error['metadata']).toMatchObject({ key_id: second.id, richer_key_id: first.id })
    }
  })

  it('is missing from other errors', async () => {
    const key = await node.createKey({ creditUsd: '1' })
    const response = await node.chat(key, { model: 'vendor/nothing', messages })
    expect(Object.keys(((await response.json()) as { error: object }).error)).not.toContain('metadata')
  })

  it('contains the rest of a spend limit, and when it starts again', async () => {
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
