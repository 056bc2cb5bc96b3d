import { setTimeout as delay } from 'node:timers/promises'
import { formatUsd, parseUsd } from '@turnpike/billing'
import type { RequestRecord } from '@turnpike/gateway'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it, vi } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { defaultText, endings, type EndingCase } from './testing/endings-table.ts'
import { type VendorFleet, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'

const promptPrice = parseUsd('0.0000025')
const completionPrice = parseUsd('0.00001')

describe.each(databases())('endings on $engine', ({ create }) => {
  const world = suiteFleet(create, 1, (base_url) => ({
    providers: { vendor: { style: 'openai', base_url, api_keys: ['sk-vendor'] } },
    upstream: { first_byte_seconds: 3 },
    billing: { read_on_seconds: 2 },
    models: {
      'vendor/echo': {
        pricing: { prompt: '0.0000025', completion: '0.00001' },
        max_output_tokens: 50_000,
      },
      'vendor/thinks': {
        pricing: { prompt: '0.0000025', completion: '0.00001' },
        supported_parameters: ['reasoning'],
      },
    },
  }))
  const node = world.nodes[0]!

  it.each(endings)('$name (stream: $stream, $knobs)', async (one) => {
    const key = await node.createKey({ creditUsd: one.creditUsd ?? '1' })
    const prompt = `${one.text ?? defaultText} [sandbox: ${one.knobs}]`
    await send(world, key, one, prompt)
    const row = await rowOf(node, key)
    expect(row).toMatchObject({
      outcome: one.outcome,
      status: one.status,
      tags: ['case:ending', 'from:body'],
    })
    expectCharge(one, prompt, row)
    await expectBooks(node, key, parseUsd(one.creditUsd ?? '1'), row)
  })

  it('ends a stream whose credit is used up, and charges what was delivered', async () => {
    const key = await node.createKey({ creditUsd: '0.05' })
    const prompt = 'go on [sandbox: ignore_bound tokens=8000 pace=0]'
    const response = await node.chat(key, {
      model: 'vendor/echo',
      stream: true,
      messages: [{ role: 'user', content: prompt }],
    })
    const text = await response.text()
    const last = lastEvent(text)
    expect(text).not.toContain('[DONE]')
    expect(last).toMatchObject({
      object: 'chat.completion.chunk',
      model: 'vendor/echo',
      choices: [{ index: 0, delta: {}, finish_reason: 'error' }],
      error: { type: 'insufficient_quota', code: 402 },
    })
    const row = await rowOf(node, key)
    expect(row.outcome).toBe('credit_exhausted')
    expect(row.usage?.estimated).toBe(true)
    expect(row.tokensOut).toBeGreaterThanOrEqual(4_096)
    expect(row.chargePico).toBe(BigInt(row.tokensIn) * promptPrice + BigInt(row.tokensOut) * completionPrice)
    await expectBooks(node, key, parseUsd('0.05'), row)
  })

  it.each([true, false])(
    'charges one answer beyond its hold, and refuses the next one (stream: %s)',
    async (stream) => {
      const holdUsd = '0.007'
      const key = await node.createKey({ creditUsd: holdUsd })
      const ask = (knobs: string): Promise<Response> =>
        node.chat(key, {
          model: 'vendor/echo',
          stream,
          max_completion_tokens: 100,
          messages: [{ role: 'user', content: `${'a '.repeat(3_000)} [sandbox: ${knobs}]` }],
        })
      // Such short words have more tokens than a hold by bytes expects.
      const response = await ask('tokens=100 pace=0')
      await response.text()
      expect(response.status).toBe(200)
      const row = await rowOf(node, key)
      expect(row).toMatchObject({ outcome: 'completed', tokensOut: 100 })
      expect(row.chargePico).toBeGreaterThan(row.holdPico)
      expect(row.chargePico).toBeGreaterThan(parseUsd(holdUsd))
      await expectBooks(node, key, parseUsd(holdUsd), row)
      expect((await ask('pace=0')).status).toBe(402)
    },
  )

  it('extends the hold of a stream that exceeds it, while there is credit', async () => {
    const key = await node.createKey({ creditUsd: '1' })
    const prompt = 'go on [sandbox: tokens=8000 pace=0]'
    const response = await node.chat(key, {
      model: 'vendor/echo',
      stream: true,
      messages: [{ role: 'user', content: prompt }],
    })
    expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/)
    const row = await rowOf(node, key)
    expect(row).toMatchObject({ outcome: 'completed', tokensOut: 8_000 })
    expect(row.holdPico).toBeGreaterThan(BigInt(4_096) * completionPrice)
    await expectBooks(node, key, parseUsd('1'), row)
  })
})

async function send(world: VendorFleet, key: TestKey, one: EndingCase, prompt: string): Promise<void> {
  const node = world.nodes[0]!
  const body = {
    model: one.thinks === true ? 'vendor/thinks' : 'vendor/echo',
    messages: [{ role: 'user', content: prompt }],
    stream: one.stream,
    max_completion_tokens: one.maxTokens ?? 1_000,
    metadata: { tags: ['from:body', 'case:ending'] },
  }
  const headers = { 'x-turnpike-tags': 'case:ending' }
  if (one.leavesAfter !== undefined) return leave(world, key, { body, headers, events: one.leavesAfter })
  const response = await node.chat(key, body, { headers })
  const text = await response.text()
  expect(response.status).toBe(one.status)
  expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/)
  if (one.status >= 400) {
    const { error } = JSON.parse(text) as { error: { code: number; request_id: string } }
    expect(error.code).toBe(one.status)
    expect(error.request_id).toBe(response.headers.get('x-request-id'))
  } else if (one.stream) {
    expect(text.includes('data: [DONE]')).toBe(one.outcome === 'completed')
    if (one.outcome !== 'completed') expect(lastEvent(text)).toHaveProperty('error.message')
  }
}

/** Reads this many events, or waits until the vendor is called, then closes the connection. */
async function leave(
  world: VendorFleet,
  key: TestKey,
  { body, headers, events }: { body: object; headers: Record<string, string>; events: number },
): Promise<void> {
  const abort = new AbortController()
  if (events === 0) void onceAsked(world).then(() => abort.abort())
  try {
    const response = await world.nodes[0]!.chat(key, body, { headers, signal: abort.signal })
    let text = ''
    for await (const chunk of response.body!) {
      text += Buffer.from(chunk).toString()
      if (text.split('\n\n').length > events) abort.abort()
    }
  } catch (error) {
    expect((error as Error).name).toBe('AbortError')
  }
  expect(abort.signal.aborted).toBe(true)
}

async function onceAsked({ vendor: { journal } }: VendorFleet): Promise<void> {
  const before = journal.total
  await vi.waitFor(() => expect(journal.total).toBeGreaterThan(before), { timeout: 30_000, interval: 20 })
  await delay(200)
}

function lastEvent(text: string): unknown {
  const events = text.trim().split('\n\n')
  return JSON.parse(events.at(-1)!.replace(/^data: /, ''))
}

/** Waits for the request's row: a client that left has no response to wait for. */
async function rowOf(node: TestNode, key: TestKey): Promise<RequestRecord> {
  return vi.waitFor(
    async () => {
      await node.admin(`/accounts/${key.accountId}/usage`)
      const filter = { accountId: key.accountId, fromMs: 0, toMs: Date.now() + 1_000 }
      const { rows } = await node.storage.usage.requests(filter, { limit: 2 })
      expect(rows).toHaveLength(1)
      return rows[0]!
    },
    { timeout: 30_000 },
  )
}

function expectCharge(one: EndingCase, prompt: string, row: RequestRecord): void {
  if (one.charged === 'nothing') {
    expect(row).toMatchObject({ chargePico: 0n, tokensIn: 0, tokensOut: 0, usage: null })
    return
  }
  expect(row.chargePico).toBe(BigInt(row.tokensIn) * promptPrice + BigInt(row.tokensOut) * completionPrice)
  expect(row.chargePico).toBeGreaterThan(0n)
  if (one.charged === 'reported') {
    expect(row.usage?.estimated).toBeUndefined()
    expect(row.usage?.raw).toMatchObject({ prompt_tokens: row.tokensIn, completion_tokens: row.tokensOut })
    return
  }
  expect(row.usage?.estimated).toBe(true)
  if (one.charged === 'held') {
    expect(row.usage?.disbelieved).toBe('beyond-hold')
    expect(row.tokensOut).toBe(one.maxTokens)
    return
  }
  expect(row.tokensIn).toBe(countTokens(prompt))
  expect(row.usage?.outputTokens).toBe(countTokens(one.charged.outputText))
  expect(row.usage?.disbelieved).toBe(one.charged.disbelieved)
  const reasoningTokens = row.usage?.reasoningTokens ?? 0
  if (one.charged.withReasoning === true) expect(reasoningTokens).toBeGreaterThan(0)
  else expect(reasoningTokens).toBe(0)
  expect(row.chargePico).toBeLessThanOrEqual(row.holdPico)
}

/** Expects that balance, summary, ledger and verification agree with the row to the last digit. */
async function expectBooks(
  node: TestNode,
  key: TestKey,
  creditPico: bigint,
  row: RequestRecord,
): Promise<void> {
  const account = await node.admin<{ balance_usd: string }>(`/accounts/${key.accountId}`)
  expect(account.balance_usd).toBe(formatUsd(creditPico - row.chargePico))
  const summary = await node.admin<{ total_requests: number; total_cost_usd: string }>(
    `/accounts/${key.accountId}/usage?days=1`,
  )
  expect(summary.total_cost_usd).toBe(formatUsd(row.chargePico))
  expect(summary.total_requests).toBe(row.outcome === 'failed' ? 0 : 1)
  expect(await node.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
}
