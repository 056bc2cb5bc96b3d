import { describe, expect, it } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { chunksScript, delta } from './testing/chunk-script.ts'
import { echoing, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'

type Json = Record<string, unknown>

const half = Array.from({ length: 50 }, () => ({ choices: [delta({ content: ' word' })] }))
const finish = { choices: [delta({}, 'stop')] }

function usage(output: number): Json {
  return { prompt_tokens: 5, completion_tokens: output, total_tokens: 5 + output }
}

function usageOf(output: number, more: Json = {}): Json {
  return { choices: [], usage: { ...usage(output), ...more } }
}

/** An answer of 100 tokens, with usage at different points of the stream. */
const orders: Record<string, Json[]> = {
  'with the first chunk, none counted': [
    { choices: [delta({ role: 'assistant', content: '' })], usage: usage(0) },
    ...half,
    ...half,
    finish,
  ],
  'with the first chunk, one counted': [
    { choices: [delta({ role: 'assistant', content: '' })], usage: usage(1) },
    ...half,
    ...half,
    finish,
  ],
  'in the middle only': [...half, usageOf(50), ...half, finish],
  'in the middle, then the finish and text behind it': [...half, finish, usageOf(50), ...half],
  'of the whole, before its text': [usageOf(100), ...half, ...half, finish],
  'before the finish': [...half, ...half, usageOf(100), finish],
  'with each half': [...half, usageOf(50), ...half, usageOf(100), finish],
  'at the end, and then a zero': [...half, ...half, finish, usageOf(100), usageOf(0)],
  'at the end, and then nothing': [...half, ...half, finish, usageOf(100), { choices: [], usage: {} }],
  'at the end, twice': [...half, ...half, finish, usageOf(100), usageOf(100)],
}

describe('usage that a vendor reports', () => {
  const fleet = suiteFleet(databases()[0]!.create, 1, echoing('0.00001'))

  it.each(Object.keys(orders))('%s charges the whole answer', async (name) => {
    const node = fleet.nodes[0]!
    const key = await node.createKey({ creditUsd: '1' })
    fleet.vendor.next({ script: chunksScript(orders[name]!) })
    const messages = [{ role: 'user', content: 'x' }]
    const response = await node.chat(key, { model: 'vendor/echo', stream: true, max_tokens: 1_000, messages })
    expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/)
    const { balance_usd: balance } = await node.admin<{ balance_usd: string }>(`/accounts/${key.accountId}`)
    expect(balance).toBe('0.999')
    expect(await node.admin('/ledger/verify')).toMatchObject({ differences: [] })
  })

  it.each([
    ['before the first token', [], [{ choices: [delta({ content: 'Yes' })] }, finish]],
    ['behind the finish', [{ choices: [delta({ content: 'Yes' })] }, finish], [usageOf(1)]],
  ])('does not let chunks without content accumulate: %s', async (_where, before, after) => {
    const node = fleet.nodes[0]!
    const key = await node.createKey({ creditUsd: '1' })
    const silent = { choices: [delta({})], padding: 'x'.repeat(64 * 1024) }
    const silence = Array.from({ length: 64 }, () => silent)
    fleet.vendor.next({ script: chunksScript([...before, ...silence, ...after]) })
    const messages = [{ role: 'user', content: 'x' }]
    const response = await node.chat(key, { model: 'vendor/echo', stream: true, max_tokens: 1_000, messages })
    const text = await response.text()
    expect(text).toMatch(/"Yes".*"finish_reason":"stop".*data: \[DONE\]\n\n$/s)
    expect(text.length).toBeLessThan(2 * 1024 * 1024)
  })
})
