import type { VendorScript } from '@turnpike/simulators'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../testing/databases.ts'
import { startVendorFleet, type VendorFleet } from './vendor-node.ts'

/** Some servers know `max_tokens` alone, others neither: they go on for as long as the model does. */
describe.each(databases())('a stream of a vendor that ignores the bound, $engine', ({ create }) => {
  let fleet: VendorFleet

  beforeAll(async () => {
    fleet = await startVendorFleet(create, 1, (vendorUrl) => ({
      providers: { vendor: { style: 'openai', base_url: vendorUrl } },
      models: { 'vendor/m': { pricing: { prompt: '0', completion: '0.00001' } } },
    }))
  })
  afterAll(() => fleet.stop())

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

  it('ends where the credit does, soon after the bound', async () => {
    const { text, row } = await ask('0.0005', 3_000, 10)
    expect(text).toContain('"type":"insufficient_quota"')
    expect(text).not.toContain('[DONE]')
    expect(row.outcome).toBe('credit_exhausted')
    expect(row.tokens_out).toBeLessThan(400)
  })

  it('goes on while there is credit, and is paid for', async () => {
    const { text, row } = await ask('1', 3_000, 10)
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
    expect(row).toMatchObject({ outcome: 'completed', tokens_out: 3_000 })
  })

  it('is left alone within a few words of the bound, whose tokens are the vendor’s to count', async () => {
    const { row } = await ask('0.0005', 30, 20)
    expect(row).toMatchObject({ outcome: 'completed', tokens_out: 30 })
  })
})

/** So many words of a token each, told as such in the end. */
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
