import { describe, expect, test } from 'vitest'
import { nowMs, requestRecord, suiteManagementServer } from '../testing/management-server.ts'

const everything = '/api/v1/admin/usage'
const dayMs = 24 * 60 * 60 * 1000
const subject = 'a user who must not know'
const marked = { pricing: { prompt: '0.0005', completion: '0.001' }, markup: '1.2' }

const server = await suiteManagementServer()
const accountId = (await server.call('GET', '/api/v1/me', { as: subject })).json.id
const key = await server.call('POST', '/api/v1/me/keys', { as: subject, body: { name: 'k' } })
const owner = { accountId, keyId: key.json.id, ...marked }
const charged = { chargePico: 12_000_000_000n, vendorCostPico: 10_000_000_000n }
const records = [
  requestRecord({ ...owner, ...charged }),
  requestRecord({ ...owner, ...charged, startedAtMs: nowMs - dayMs, modelServed: 'sandbox/echo' }),
  requestRecord({ ...owner, chargePico: 3n, vendorCostPico: null, startedAtMs: nowMs - dayMs }),
  requestRecord({ ...owner, chargePico: 7n, vendorCostPico: null, startedAtMs: nowMs - 2 * dayMs }),
]
const [known, , unknown] = records.map(({ id }) => id) as [string, string, string]
await server.write(...records)

describe('an operator sees across all accounts', () => {
  test('the margin, and the requests whose margin is unknown', async () => {
    expect((await server.call('GET', everything)).json).toMatchObject({
      total_cost_usd: '0.02400000001',
      total_vendor_cost_usd: '0.02',
      total_margin_usd: '0.004',
      total_uncosted_usd: '0.00000000001',
    })
  })

  test('margins by day and model; an unknown one is null, never 0', async () => {
    const { json } = await server.call('GET', `${everything}/breakdown?by=day&by=model`)
    const margins = json.data.map(
      ({ group, total_vendor_cost_usd, total_margin_usd, total_uncosted_usd }) => [
        group,
        total_vendor_cost_usd,
        total_margin_usd,
        total_uncosted_usd,
      ],
    )
    expect(margins).toEqual([
      [['2026-03-08', 'openai/gpt-5-mini'], null, null, '0.000000000007'],
      [['2026-03-09', 'sandbox/echo'], '0.01', '0.002', '0'],
      [['2026-03-09', 'openai/gpt-5-mini'], null, null, '0.000000000003'],
      [['2026-03-10', 'openai/gpt-5-mini'], '0.01', '0.002', '0'],
    ])
  })

  test('nothing if there are no requests', async () => {
    expect((await server.call('GET', `${everything}?model=none`)).json).toMatchObject({
      total_vendor_cost_usd: '0',
      total_margin_usd: '0',
      total_uncosted_usd: '0',
    })
  })

  test('a request’s prices without the markup', async () => {
    for (const path of [everything, `/api/v1/admin/accounts/${accountId}/usage`]) {
      expect((await server.call('GET', `${path}/requests/${known}`)).json).toMatchObject({
        ...marked,
        vendor_cost_usd: '0.01',
      })
      const old = (await server.call('GET', `${path}/requests/${unknown}`)).json
      expect(old['vendor_cost_usd']).toBeNull()
    }
  })
})

describe('a user, and a storefront on their behalf', () => {
  const userPaths = [
    '',
    '/breakdown?by=day&by=model',
    '/breakdown?by=tier',
    '/requests',
    '/export?format=jsonl',
  ]

  test.each([...userPaths, '/export?format=csv'])('see no margin in usage%s', async (path) => {
    for (const [base, as] of [
      ['/api/v1/usage', subject],
      [`/api/v1/admin/accounts/${accountId}/usage`, undefined],
    ] as const) {
      const { status, text } = await server.call('GET', base + path, as === undefined ? {} : { as })
      expect(status).toBe(200)
      expect(text).not.toMatch(/vendor_cost|margin|uncosted|markup/)
    }
  })

  test('see the prices that they paid, from which the charge follows', async () => {
    const { json, text } = await server.call('GET', `/api/v1/usage/requests/${known}`, { as: subject })
    expect(json).toMatchObject({ pricing: { prompt: '0.0006', completion: '0.0012' }, markup: '1' })
    expect(json['charge_usd']).toBe('0.012')
    expect(text).not.toMatch(/vendor_cost|"1\.2"/)
  })

  test("do not see a vendor's own usage, which may contain its costs; only operators do", async () => {
    const vendorUsage = async (base: string, as?: string): Promise<unknown> =>
      (await server.call('GET', `${base}/requests/${known}`, as === undefined ? {} : { as })).json.usage
    const buckets = { input_tokens: 10, output_tokens: 5 }
    expect(await vendorUsage('/api/v1/usage', subject)).toMatchObject({ ...buckets, raw: null })
    for (const base of [everything, `/api/v1/admin/accounts/${accountId}/usage`])
      expect(await vendorUsage(base)).toMatchObject({ ...buckets, raw: { prompt_tokens: 10 } })
  })
})
