import type { VendorScript } from '@turnpike/simulators'
import { describe, expect, it } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'

/** Some servers know only `max_tokens`, others no bound: they generate for as long as the model does. */
describe.each(databases())('a stream of a vendor that ignores the bound, $engine', ({ create }) => {
  const fleet = suiteFleet(create, 1, (vendorUrl) => ({
    providers: { vendor: { style: 'openai', base_url: vendorUrl } },
    models: { 'vendor/m': { pricing: { prompt: '0', completion: '0.00001' } } },
  }))

  async function ask(creditUsd: string, words: number, bound: number) {
    const node = fleet.nodes[0]!
    const key = await node.createKey({ creditUsd })
    fleet.vendor.next({ script: endless(words) })
    const messages = [{ role: 'user', content: 'x' }]
    const body = { model: 'vendor/m', stream: true, max_completion_tokens: bound, messages }
    const response = await node.chat(key, body)
    const text = await response.text()
    const row = await node.admin<{ outcome: string; tokens_out: number }>(
      `/accounts/${key.accountId}/usage/requests/${response.headers.get('x-request-id')!}`,
    )
    return { text, row }
  }

  it('ends when the credit does', async () => {
    const { text, row } = await ask('0.0005', 3_000, 10)
    expect(text).toContain('"type":"insufficient_quota"')
    expect(text).not.toContain('[DONE]')
    expect(row).toMatchObject({ outcome: 'credit_exhausted', tokens_out: 50 })
  })

  it.each([true, false])(
    'spends no more than the credit with ten requests at once (stream: %s)',
    async (stream) => {
      const node = fleet.nodes[0]!
      const key = await node.createKey({ creditUsd: '0.001' })
      const messages = [
        { role: 'user', content: 'word word word [sandbox: ignore_bound tokens=2000 pace=0]' },
      ]
      const body = { model: 'vendor/m', stream, max_completion_tokens: 5, messages }
      const answers = Array.from({ length: 10 }, async () => (await node.chat(key, body)).text())
      const words = (await Promise.all(answers)).join('').match(/word/g)?.length ?? 0
      const { balance_usd: balance } = await node.admin<{ balance_usd: string }>(`/accounts/${key.accountId}`)
      expect(Number(balance)).toBeGreaterThanOrEqual(0)
      expect(words).toBeLessThanOrEqual(100)
    },
  )

  it('continues while there is credit, and is paid for', async () => {
    const { text, row } = await ask('1', 3_000, 10)
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
    expect(row).toMatchObject({ outcome: 'completed', tokens_out: 3_000 })
  })

  it('delivers the little that the credit still covers beyond the bound', async () => {
    const { row } = await ask('0.0005', 30, 20)
    expect(row).toMatchObject({ outcome: 'completed', tokens_out: 30 })
  })
})

/** This many words of one token each, with that usage at the end. */
function endless(words: number): VendorScript {
  const chunk = (more: object): Buffer => {
    const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
    return Buffer.from(`data: ${JSON.stringify({ ...head, ...more })}\n\n`)
  }
  const word = chunk({ choices: [{ index: 0, delta: { content: ' word' }, finish_reason: null }] })
  const usage = { prompt_tokens: 1, completion_tokens: words, total_tokens: words + 1 }
  const ending = Buffer.concat([
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    chunk({ choices: [], usage }),
    Buffer.from('data: [DONE]\n\n'),
  ])
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    steps: [
      { type: 'head' },
      ...Array.from({ length: words }, () => [
        { type: 'bytes' as const, bytes: word, tokens: 1 },
        { type: 'delay' as const, delayMs: 0 },
      ]).flat(),
      { type: 'bytes', bytes: ending, tokens: 0 },
      { type: 'end' },
    ],
    bill: undefined,
  }
}
