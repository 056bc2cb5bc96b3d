import { parseUsd } from '@turnpike/billing'
import type { VendorScript } from '@turnpike/simulators'
import { beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'
import type { TestKey } from '../../../tests/nodes/test-node.ts'
import { anthropicScript, chatScript, googleScript } from './testing/billed-answers.ts'

type Json = Record<string, unknown>

interface Detail {
  charge_usd: string
  hold_usd: string
  usage: { estimated?: true; disbelieved?: string } | null
}

const pricing = {
  prompt: '0.000001',
  completion: '0.000002',
  input_cache_read: '0.0000005',
  input_cache_write: '0.0000015',
  input_cache_write_1h: '0.000002',
  internal_reasoning: '0.000003',
  audio: '0.00004',
  image: '0.00001',
  web_search: '0.01',
  citation: '0.000002',
}
const absurd = [9e15, 1e308, 1e21, 2 ** 53, -1, -9e15, 0.5, '9'.repeat(30), '-5', 'NaN', true, {}, []]

interface Style {
  style: 'openai' | 'anthropic' | 'google'
  sane: Json
  answer: (usage: Json, stream: boolean) => VendorScript
  /** Fields in which one invalid count makes the whole usage implausible. */
  totals: string[]
  /** Fields in which an invalid count is ignored, or limited by the totals. */
  parts: ((count: unknown) => Json)[]
}

const styles: Style[] = [
  {
    style: 'openai',
    sane: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
    answer: (usage, stream) => chatScript({ usage }, stream),
    totals: ['prompt_tokens', 'completion_tokens'],
    parts: [
      (count) => ({ total_tokens: count }),
      (count) => ({ prompt_tokens_details: { cached_tokens: count } }),
      (count) => ({ prompt_tokens_details: { cache_write_tokens: count, audio_tokens: count } }),
      (count) => ({ completion_tokens_details: { reasoning_tokens: count, audio_tokens: count } }),
      (count) => ({ reasoning_tokens: count, num_search_queries: count }),
      (count) => ({ citation_tokens: count, server_tool_use: { web_search_requests: count } }),
    ],
  },
  {
    style: 'anthropic',
    sane: { input_tokens: 10, output_tokens: 2 },
    answer: anthropicScript,
    totals: ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'],
    parts: [
      (count) => ({ cache_creation: { ephemeral_1h_input_tokens: count } }),
      (count) => ({ output_tokens_details: { thinking_tokens: count } }),
      (count) => ({ server_tool_use: { web_search_requests: count, code_execution_requests: count } }),
    ],
  },
  {
    style: 'google',
    sane: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
    answer: (usage, stream) => googleScript([], usage, stream),
    totals: ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'toolUsePromptTokenCount'],
    parts: [
      (count) => ({ cachedContentTokenCount: count, totalTokenCount: count }),
      (count) => ({ promptTokensDetails: [{ modality: 'AUDIO', tokenCount: count }] }),
      (count) => ({ candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: count }] }),
    ],
  },
]

/** Impossible usage is not charged, creates no row that cannot be stored, and does not break the books. */
describe.each(databases())('absurd usage on $engine', ({ create }) => {
  let key: TestKey

  const fleet = suiteFleet(create, 1, (base_url) => ({
    providers: Object.fromEntries(styles.map(({ style }) => [style, { style, base_url, api_keys: ['k'] }])),
    models: Object.fromEntries(
      styles.map(({ style }) => [
        `${style}/m`,
        { pricing, context_length: 100_000, max_output_tokens: 1_000 },
      ]),
    ),
  }))
  const node = fleet.nodes[0]!
  beforeAll(async () => {
    key = await node.createKey({ creditUsd: '100' })
  })

  async function detailOf({ style, sane, answer }: Style, more: Json, stream: boolean): Promise<Detail> {
    fleet.vendor.next({ script: answer({ ...sane, ...more }, stream) })
    const messages = [{ role: 'user', content: 'Hello' }]
    const response = await node.chat(key, { model: `${style}/m`, messages, stream, max_tokens: 100 })
    const text = await response.text()
    expect(response.status, text).toBe(200)
    expect(text, JSON.stringify(more)).not.toContain('"error"')
    const id = response.headers.get('x-request-id')!
    return node.admin(`/accounts/${key.accountId}/usage/requests/${id}`)
  }

  async function disbelieved(): Promise<number> {
    const text = await (await node.metrics()).text()
    return Number(/^turnpike_usage_disbelieved_total\{reason="implausible"\} (\d+)$/m.exec(text)?.[1] ?? NaN)
  }

  describe.each([false, true])('stream: %s', (stream) => {
    it.each(styles)('$style: estimates, marks and counts impossible totals', async (style) => {
      const before = await disbelieved()
      let answers = 0
      for (const name of style.totals)
        for (const count of absurd) {
          const { charge_usd, hold_usd, usage } = await detailOf(style, { [name]: count }, stream)
          const what = `${name}: ${JSON.stringify(count)}`
          expect(usage, what).toMatchObject({ estimated: true, disbelieved: 'implausible' })
          expect(parseUsd(charge_usd), what).toBeGreaterThan(0n)
          expect(parseUsd(charge_usd), what).toBeLessThanOrEqual(parseUsd(hold_usd))
          answers++
        }
      expect(await disbelieved()).toBe(before + answers)
    })

    it.each(styles)('$style: never charges impossible parts beyond the totals', async (style) => {
      for (const part of style.parts)
        for (const count of absurd) {
          const { charge_usd, hold_usd } = await detailOf(style, part(count), stream)
          const what = JSON.stringify(part(count))
          expect(parseUsd(charge_usd), what).toBeGreaterThan(0n)
          // The highest price that ten and two tokens can have.
          const most = parseUsd('0.0005') > parseUsd(hold_usd) ? parseUsd('0.0005') : parseUsd(hold_usd)
          expect(parseUsd(charge_usd), what).toBeLessThanOrEqual(most)
        }
    })
  })

  it('keeps the books intact: plausible usage is charged as reported', async () => {
    for (const style of styles)
      expect(await detailOf(style, {}, false)).toMatchObject({ charge_usd: '0.000014' })
    expect(await node.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
  })
})
