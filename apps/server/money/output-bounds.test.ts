import { formatUsd, parseUsd } from '@turnpike/billing'
import { describe, expect, it } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'
import type { TestKey } from '../../../tests/nodes/test-node.ts'

const pricePico = parseUsd('0.00001')
/** Credit for this many output tokens; input is free. */
const creditFor = (tokens: number): string => formatUsd(BigInt(tokens) * pricePico)

/** The same bound is held and sent to the vendor (docs/contract.md, 4.5). */
describe.each(databases())('bounds of output on $engine', ({ create }) => {
  const fleet = suiteFleet(create, 1, (base_url) => ({
    providers: { vendor: { style: 'openai', base_url } },
    models: {
      'vendor/m': {
        pricing: { prompt: '0', completion: '0.00001' },
        max_output_tokens: 64_000,
        context_length: 200_000,
      },
    },
  }))
  const node = fleet.nodes[0]!

  async function ask(key: TestKey, body: object) {
    fleet.vendor.journal.clear()
    const messages = [{ role: 'user', content: 'go on [sandbox: tokens=20 pace=0]' }]
    const response = await node.chat(key, { model: 'vendor/m', messages, ...body })
    const answer = (await response.json()) as { error?: { type: string; message: string } }
    const sent = fleet.vendor.journal.entries.at(-1)?.request.body.toString()
    return { response, answer, sent: sent === undefined ? undefined : boundsIn(sent) }
  }

  it.each([
    [{ max_completion_tokens: 1, max_tokens: 50_000 }, 50_000],
    [{ max_tokens: 1, max_completion_tokens: 50_000 }, 50_000],
    [{ max_tokens: 1, max_output_tokens: 50_000 }, 50_000],
    [{ max_tokens: 1, n_predict: 50_000 }, 50_000],
    [{ max_completion_tokens: 1, max_tokens: null }, 1],
    [{ max_tokens: 60_000, n: 2 }, 60_000],
    [{ max_tokens: 64_001 }, 64_000],
  ])('%j: one bound is sent and held', async (bounds, most) => {
    const n = 'n' in bounds ? bounds.n : 1
    const covered = await ask(await node.createKey({ creditUsd: creditFor(most * n) }), bounds)
    expect(covered.response.status).toBe(200)
    expect(Object.values(covered.sent!)).toEqual([most])
    if (most <= 4_096) return
    const short = await ask(await node.createKey({ creditUsd: creditFor(4_095) }), bounds)
    expect(short.response.status).toBe(402)
    expect(short.sent).toBeUndefined()
  })

  it.each([{ n_predict: -1 }, { max_new_tokens: '12' }, { max_tokens: 0 }, { best_of: 1e9 }])(
    '%j gets a 400 that names the field',
    async (bounds) => {
      const { answer, response, sent } = await ask(await node.createKey({ creditUsd: '1' }), bounds)
      expect(response.status).toBe(400)
      expect(answer).toMatchObject({
        error: { type: 'invalid_request_error', param: Object.keys(bounds)[0] },
      })
      expect(sent).toBeUndefined()
    },
  )

  it('hold for best_of as for choices', async () => {
    const key = await node.createKey({ creditUsd: creditFor(999) })
    expect((await ask(key, { max_tokens: 100, best_of: 10 })).response.status).toBe(402)
    expect((await ask(key, { max_tokens: 99, best_of: 10 })).response.status).toBe(200)
  })

  it('are lowered to what the credit covers, and the response says so', async () => {
    const key = await node.createKey({ creditUsd: creditFor(10_000) })
    const { response, sent } = await ask(key, { max_tokens: 64_000 })
    expect(response.status).toBe(200)
    expect(sent).toEqual({ max_tokens: 10_000 })
    expect(response.headers.get('x-turnpike-max-output-tokens')).toBe('10000')
  })

  it('are not mentioned if the credit covers them', async () => {
    const key = await node.createKey({ creditUsd: creditFor(64_000) })
    const { response, sent } = await ask(key, { max_tokens: 64_000 })
    expect(sent).toEqual({ max_tokens: 64_000 })
    expect(response.headers.get('x-turnpike-max-output-tokens')).toBeNull()
  })

  it('are not lowered below 4,096 tokens, or at all if they are lower than that', async () => {
    const little = await node.createKey({ creditUsd: creditFor(4_095) })
    const { response, answer } = await ask(little, { max_tokens: 64_000 })
    expect(response.status).toBe(402)
    expect(answer.error!.message).toContain(creditFor(4_096))
    expect((await ask(little, { max_tokens: 4_095 })).response.status).toBe(200)
    const enough = await node.createKey({ creditUsd: creditFor(4_096) })
    expect((await ask(enough, { max_tokens: 64_000 })).sent).toEqual({ max_tokens: 4_096 })
  })

  it('are sent if the request has none and its hold takes more than a tenth of the credit', async () => {
    const short = await node.createKey({ creditUsd: creditFor(40_959) })
    expect((await ask(short, {})).sent).toEqual({ max_tokens: 4_096 })
    const ample = await node.createKey({ creditUsd: creditFor(40_960) })
    expect((await ask(ample, {})).sent).toEqual({})
  })

  it('lead to a 429 if other requests hold the credit that would cover them', async () => {
    const key = await node.createKey({ creditUsd: creditFor(10_000) })
    const abort = new AbortController()
    const messages = [{ role: 'user', content: '[sandbox: hang]' }]
    const open = node.chat(key, { model: 'vendor/m', messages, max_tokens: 8_000 }, { signal: abort.signal })
    const opened = open.catch((error: unknown) => expect((error as Error).name).toBe('AbortError'))
    await expect.poll(() => fleet.vendor.journal.open, { timeout: 10_000 }).toBe(1)
    const refused = await ask(key, { max_tokens: 9_000 })
    expect(refused.response.status).toBe(429)
    expect(refused.response.headers.get('retry-after')).toBe('1')
    abort.abort()
    await opened
  })

  it('leave books that agree', async () => {
    expect(await node.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
  })
})

function boundsIn(body: string): Record<string, unknown> {
  const members = Object.entries(JSON.parse(body) as Record<string, unknown>)
  return Object.fromEntries(members.filter(([name]) => /max_|predict/.test(name)))
}
