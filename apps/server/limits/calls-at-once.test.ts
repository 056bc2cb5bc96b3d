import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { suiteNode } from '../../../tests/nodes/suite.ts'

const perSecond = 20
const messages = [{ role: 'user' as const, content: 'Hello [sandbox: pace=0]' }]

const node = suiteNode({ limits: { burst_per_key_per_second: perSecond } })

/** The outcomes of this many calls at once. Their SDK retries each twice. */
async function outcomes(call: () => PromiseLike<unknown>, calls: number): Promise<string[]> {
  const all = await Promise.allSettled(Array.from({ length: calls }, call))
  return all.map((one) => (one.status === 'fulfilled' ? 'served' : String(one.reason)))
}

/** Not exactly all: after a machine has stalled for a second, more calls come at once than a burst. */
function expectNearlyAllServed(results: readonly string[]): void {
  const others = results.filter((one) => one !== 'served')
  expect(others.length).toBeLessThanOrEqual(calls / 10)
  for (const one of others) expect(one).toContain('Rate limit reached')
}

/** Six times the burst: 60 calls for a limit of 10 a second. */
const calls = 6 * perSecond

test('calls that come at once are nearly all served with OpenAI’s SDK, which retries them', async () => {
  const client = new OpenAI({ apiKey: (await node.createKey()).raw, baseURL: node.baseUrl, maxRetries: 2 })
  const request = { model: 'sandbox/echo', messages }
  const results = await outcomes(() => client.chat.completions.create(request), calls)
  expectNearlyAllServed(results)
})

test('calls that come at once are nearly all served with Anthropic’s SDK, which retries them', async () => {
  const { raw } = await node.createKey()
  const client = new Anthropic({ apiKey: raw, baseURL: node.origin, maxRetries: 2 })
  const request = { model: 'sandbox/echo', messages, max_tokens: 20 }
  const results = await outcomes(() => client.messages.create(request), calls)
  expectNearlyAllServed(results)
})
