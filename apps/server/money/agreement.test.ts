import { compilePricing, formatUsd, parseUsd, rate, type LedgerVerification } from '@turnpike/billing'
import type { RequestRecord } from '@turnpike/gateway'
import { seededRandom, type Random } from '@turnpike/simulators'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode, suiteVendor } from '../../../tests/nodes/suite.ts'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'

const requests = 1_000
const atOnce = 25
const seed = Number(process.env['TURNPIKE_TEST_SEED'] ?? Date.now() % 2 ** 31)
const creditUsd = '3'

/** The endings of a request, as knobs of the simulated vendor, and whether the client leaves. */
const kinds: { knobs: string; stream?: boolean; leaves?: boolean }[] = [
  { knobs: 'pace=0' },
  { knobs: 'pace=0 reasoning=9' },
  { knobs: 'pace=0 cached=3' },
  { knobs: 'pace=0 tokens=90' },
  { knobs: 'pace=0 no_usage' },
  { knobs: 'pace=0 cut=3', stream: true },
  { knobs: 'pace=0 cut=0' },
  { knobs: 'pace=0 error_after=3', stream: true },
  { knobs: 'pace=0 no_finish', stream: true },
  { knobs: 'pace=0 stall=3', stream: true, leaves: true },
  { knobs: 'error=500' },
  { knobs: 'error=429 retry_after=1' },
  { knobs: 'malformed' },
]

const tagPool = ['team:a', 'team:b', 'feature:search', 'cost centre', 'überall', '']

interface Sent {
  key: TestKey
  /** The cost in the response; null if it contained none. */
  costUsd: string | null
}

interface Summary {
  total_requests: number
  total_tokens_in: number
  total_tokens_out: number
  total_cost_usd: string
}

describe.each(databases())(
  `the books of ${requests} mixed requests on $engine (seed ${seed})`,
  ({ create }) => {
    const vendor = suiteVendor()
    const database = suiteDatabase(create)
    const pricing = {
      prompt: '0.0000025',
      completion: '0.00001',
      input_cache_read: '0.00000125',
      request: '0.000001',
    }
    const node = suiteNode(
      () => ({
        providers: { vendor: { style: 'openai', base_url: vendor.baseUrl() } },
        models: { 'vendor/echo': { pricing }, 'vendor/lorem': { pricing } },
        billing: { markup: '1.07' },
      }),
      { database },
    )
    const keys: TestKey[] = []
    const sent: Sent[] = []
    let rows: RequestRecord[] = []

    beforeAll(async () => {
      for (let count = 0; count < 4; count++) keys.push(await node.createKey({ creditUsd }))
      await sendAll(node, keys, sent)
      rows = await allRows(node, keys)
    }, 300_000)

    it('have one row per request, and contain every ending', () => {
      expect(rows).toHaveLength(requests)
      expect(new Set(rows.map((row) => row.outcome))).toEqual(
        new Set(['completed', 'client_closed', 'upstream_cut', 'failed']),
      )
    })

    it('charged what the responses reported', () => {
      const reportedCosts = sent.filter((one) => one.costUsd !== null).map((one) => one.costUsd!)
      const completed = rows
        .filter((row) => row.outcome === 'completed')
        .map((row) => formatUsd(row.chargePico))
      expect(completed.toSorted()).toEqual(reportedCosts.toSorted())
    })

    it.each([0, 1, 2, 3])(
      'agree to the last digit in balance, summary, breakdowns and ledger (account %i)',
      async (index) => {
        const { accountId } = keys[index]!
        const own = rows.filter((row) => row.accountId === accountId)
        const spent = sum(own)
        const { balance_usd: balance } = await node.admin<{ balance_usd: string }>(`/accounts/${accountId}`)
        expect(balance).toBe(formatUsd(parseUsd(creditUsd) - spent))
        expect(await node.admin(`/accounts/${accountId}/usage?days=1`)).toMatchObject(totals(own))
        for (const by of ['tag', 'model', 'key', 'day', 'provider'])
          await expectBreakdown(node, accountId, own, by)
        expect(await ledgerSum(node, accountId)).toBe(spent)
      },
    )

    it('owe the vendor the same usage without the markup, by day and model as in total', async () => {
      for (const { usage, pricing, chargePico, vendorCostPico } of rows) {
        const owed = usage === null ? 0n : rate(usage, compilePricing(pricing!, '1'))
        expect([vendorCostPico, vendorCostPico === 0n]).toEqual([owed, chargePico === 0n])
      }
      const vendorCostPico = rows.reduce((total, row) => total + (row.vendorCostPico ?? 0n), 0n)
      const margins = {
        total_cost_usd: formatUsd(sum(rows)),
        total_vendor_cost_usd: formatUsd(vendorCostPico),
        total_margin_usd: formatUsd(sum(rows) - vendorCostPico),
        total_uncosted_usd: '0',
      }
      expect(await node.admin('/usage?days=1')).toMatchObject(margins)
      for (const by of ['by=day', 'by=model', 'by=day&by=model']) {
        const { data } = await node.admin<{ data: Record<keyof typeof margins, string>[] }>(
          `/usage/breakdown?days=1&${by}`,
        )
        for (const [name, total] of Object.entries(margins)) {
          const parts = data.map((row) => parseUsd(row[name as keyof typeof margins]))
          expect([by, name, formatUsd(parts.reduce((all, part) => all + part, 0n))]).toEqual([
            by,
            name,
            total,
          ])
        }
      }
    })

    it('verify', async () => {
      const verified = await node.admin<LedgerVerification>('/ledger/verify')
      expect(verified).toMatchObject({ ok: true, differences: [] })
      expect(verified.checked).toBeGreaterThan(requests)
    })

    it('leave no hold, no lease in use and no call to the vendor', async () => {
      await vendor.journal.awaitSettled()
      expect(vendor.journal.entries.filter((entry) => entry.ending === 'open')).toEqual([])
      expect(node.log.filter((line) => line.level === 'error')).toEqual([])
    })
  },
)

async function sendAll(node: TestNode, keys: readonly TestKey[], sent: Sent[]): Promise<void> {
  const random = seededRandom(seed)
  const plans = Array.from({ length: requests }, () => plan(random, keys))
  const next = plans[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (const one of next) sent.push({ key: one.key, costUsd: await send(node, one) })
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

interface Planned {
  key: TestKey
  body: { model: string; stream: boolean; messages: object[]; metadata: { tags: string[] } }
  leaves: boolean
}

function plan(random: Random, keys: readonly TestKey[]): Planned {
  const kind = pick(random, kinds)
  const tags = tagPool.filter(() => random() < 0.3)
  const prompt = `${'word '.repeat(Math.floor(random() * 40))}[sandbox: ${kind.knobs}]`
  return {
    key: pick(random, keys),
    leaves: kind.leaves === true,
    body: {
      model: random() < 0.5 ? 'vendor/echo' : 'vendor/lorem',
      stream: kind.stream ?? random() < 0.5,
      messages: [{ role: 'user', content: prompt }],
      metadata: { tags },
    },
  }
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!
}

/** The cost that the response reports, if any. */
async function send(node: TestNode, { key, body, leaves }: Planned): Promise<string | null> {
  const abort = new AbortController()
  const withUsage = body.stream ? { ...body, stream_options: { include_usage: true } } : body
  try {
    const response = await node.chat(key, { ...withUsage, max_tokens: 200 }, { signal: abort.signal })
    let text = ''
    for await (const chunk of response.body!) {
      text += Buffer.from(chunk).toString()
      if (leaves && text.split('\n\n').length > 3) abort.abort()
    }
    return /"cost_usd":"([\d.]+)"/.exec(text)?.[1] ?? null
  } catch (error) {
    if (!leaves) throw error
    return null
  }
}

async function allRows(node: TestNode, keys: readonly TestKey[]): Promise<RequestRecord[]> {
  const read = async (): Promise<RequestRecord[]> => {
    await node.admin('/usage?days=1')
    const found: RequestRecord[] = []
    for (const { accountId } of keys) {
      for await (const row of node.storage.usage.export({ accountId, fromMs: 0, toMs: Date.now() + 1_000 }))
        found.push(row)
    }
    return found
  }
  // Clients that left did not wait for their rows.
  return vi.waitFor(
    async () => {
      const found = await read()
      if (found.length < requests) throw new Error(`${found.length} of ${requests} rows are there`)
      return found
    },
    { timeout: 30_000, interval: 200 },
  )
}

function sum(rows: readonly RequestRecord[]): bigint {
  return rows.reduce((total, row) => total + row.chargePico, 0n)
}

function totals(rows: readonly RequestRecord[]): Summary {
  const counted = rows.filter((row) => row.outcome !== 'failed')
  return {
    total_requests: counted.length,
    total_tokens_in: counted.reduce((total, row) => total + row.tokensIn, 0),
    total_tokens_out: counted.reduce((total, row) => total + row.tokensOut, 0),
    total_cost_usd: formatUsd(sum(counted)),
  }
}

const groupsOf: Record<string, (row: RequestRecord) => (string | null)[]> = {
  tag: (row) => (row.tags.length === 0 ? [null] : row.tags),
  model: (row) => [row.modelServed],
  key: (row) => [row.keyId],
  day: (row) => [new Date(row.startedAtMs).toISOString().slice(0, 10)],
  provider: (row) => [row.provider],
}

async function expectBreakdown(
  node: TestNode,
  accountId: string,
  rows: readonly RequestRecord[],
  by: string,
): Promise<void> {
  const expected = new Map<string | null, RequestRecord[]>()
  for (const row of rows.filter((one) => one.outcome !== 'failed')) {
    for (const group of groupsOf[by]!(row)) expected.set(group, [...(expected.get(group) ?? []), row])
  }
  const found = new Map<string | null, Summary>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const path: string = `/accounts/${accountId}/usage/breakdown?days=1&by=${by}&limit=2`
    const page: GroupPage = await node.admin(path + (cursor === '' ? '' : `&cursor=${cursor}`))
    for (const { group, ...rest } of page.data) found.set(group, rest)
    const behind = [...expected].flatMap(([group, members]) => (found.has(group) ? [] : members))
    if (page.others === null) expect(behind).toEqual([])
    else expect(page.others).toMatchObject(totals(behind))
    cursor = page.next_cursor
  }
  expect(new Set(found.keys())).toEqual(new Set(expected.keys()))
  for (const [group, members] of expected) expect(found.get(group)).toMatchObject(totals(members))
}

interface GroupPage {
  data: ({ group: string | null } & Summary)[]
  next_cursor: string | null
  others: Summary | null
}

/** The sum of the ledger's `usage` entries. */
async function ledgerSum(node: TestNode, accountId: string): Promise<bigint> {
  let total = 0n
  let cursor: string | null = ''
  while (cursor !== null) {
    const path: string = `/accounts/${accountId}/ledger?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`
    const page: { data: { kind: string; change_usd: string }[]; next_cursor: string | null } =
      await node.admin(path)
    for (const entry of page.data) if (entry.kind === 'usage') total -= parseUsd(entry.change_usd)
    cursor = page.next_cursor
  }
  return total
}
