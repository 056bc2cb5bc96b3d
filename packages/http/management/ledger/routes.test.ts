import { beforeAll, describe, expect, test } from 'vitest'
import { requestRecord, suiteManagementServer } from '../testing/management-server.ts'

const accounts = '/api/v1/admin/accounts'

const server = await suiteManagementServer()
const account = (await server.call('POST', accounts, { body: { oidc_sub: 'ledger' } })).json.id
const key = (await server.call('POST', `${accounts}/${account}/keys`, { body: { name: 'k' } })).json.id
for (const amount of ['5', '6', '7']) {
  server.clock.nowMs += 1000
  const body = { amount_usd: amount, kind: 'grant', reason: `the ${amount}` }
  await server.call('POST', `${accounts}/${account}/credits`, { body })
}

test('lists entries newest first, page by page', async () => {
  const first = await server.call('GET', `${accounts}/${account}/ledger?limit=2`)
  const amounts = ({ data }: { data: { amount_usd: string }[] }): string[] =>
    data.map((row) => row.amount_usd)
  expect([first.status, amounts(first.json), first.json.has_more]).toEqual([200, ['7', '6'], true])
  const rest = await server.call(
    'GET',
    `${accounts}/${account}/ledger?limit=2&cursor=${first.json.next_cursor}`,
  )
  expect([amounts(rest.json), rest.json.has_more, rest.json.next_cursor]).toEqual([['5'], false, null])
})

test('records a charge as an entry that takes credit and names its request', async () => {
  const record = requestRecord({ accountId: account, keyId: key, startedAtMs: server.clock.nowMs + 1000 })
  await server.write(record)
  const { json } = await server.call('GET', `${accounts}/${account}/ledger`)
  const charge = json.data.find((row) => row.kind === 'usage')
  expect(charge).toMatchObject({
    amount_usd: '0.01',
    change_usd: '-0.01',
    debit_account: `key:${key}`,
    credit_account: 'revenue',
    reference: `usage:${record.id}`,
    request_id: record.id,
  })
})

test('the ledger of an unknown account is 404', async () => {
  expect((await server.call('GET', `${accounts}/acct_${'0'.repeat(26)}/ledger`)).status).toBe(404)
})

test('verification recomputes everything', async () => {
  const { status, json } = await server.call('GET', '/api/v1/admin/ledger/verify')
  expect(status).toBe(200)
  expect(json).toEqual({ ok: true, checked: expect.any(Number), differences: [] })
  expect(json.checked).toBeGreaterThan(0)
})

describe('a ledger', () => {
  const as = 'hopper'
  let keys: string[]
  const ask = (query: string) => server.call('GET', `/api/v1/ledger?${query}`, { as })
  const ids = async (query: string): Promise<string[]> =>
    (await ask(`limit=200&${query}`)).json.data.map(({ id }) => id)

  beforeAll(async () => {
    const { id: accountId } = (await server.call('GET', '/api/v1/me', { as })).json
    const made = await Promise.all(
      ['one', 'two'].map((name) =>
        server.call('POST', '/api/v1/me/keys', { as, body: { name, draws_on: null } }),
      ),
    )
    keys = made.map(({ json }) => json.id)
    const dayMs = 86_400_000
    for (const [index, keyId] of keys.entries()) {
      server.clock.nowMs += dayMs
      const body = { amount_usd: '5', kind: 'grant', reason: '=HYPERLINK("http://x")', key_id: keyId }
      await server.call('POST', `${accounts}/${accountId}/credits`, { body })
      const startedAtMs = server.clock.nowMs
      for (const chargePico of [1n, 123_456_789_012n])
        await server.write(
          requestRecord({ accountId, keyId, startedAtMs, chargePico: chargePico + BigInt(index) }),
        )
    }
  })

  test('is filtered by kind, key and days, and its file agrees to the pico-dollar', async () => {
    const all = (await ask('limit=200')).json.data
    const day = new Date(server.clock.nowMs).toISOString().slice(0, 10)
    const cases: [query: string, matches: (entry: Record<string, unknown>) => boolean, least: number][] = [
      ['', () => true, 6],
      ['kind=usage', ({ kind }) => kind === 'usage', 4],
      ['kind=grant&kind=refund', ({ kind }) => kind === 'grant', 2],
      [
        `key_id=${keys[0]}`,
        (one) => [one['debit_account'], one['credit_account']].includes(`key:${keys[0]}`),
        3,
      ],
      [`from=${day}`, ({ created_at: at }) => Number(at) * 1000 >= Date.parse(day), 3],
      [`to=${day}`, () => true, 6],
      [`from=2026-01-01&to=2026-01-31`, () => false, 0],
      [
        `from=${day}&kind=usage&key_id=${keys[1]}`,
        (one) => one['kind'] === 'usage' && one['debit_account'] === `key:${keys[1]}`,
        2,
      ],
    ]
    for (const [query, matches, least] of cases) {
      const expected = all.filter(matches)
      expect([query, expected.length]).toEqual([query, least])
      expect([query, await ids(query)]).toEqual([query, expected.map(({ id }) => id)])
      const { text } = await server.call('GET', `/api/v1/ledger/export?format=csv&${query}`, { as })
      const rows = text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(','))
      expect(rows.map(([id, , , kind, amount, change]) => ({ id, kind, amount, change }))).toEqual(
        expected.map(({ id, kind, amount_usd: amount, change_usd: change }) => ({
          id,
          kind,
          amount,
          change,
        })),
      )
      const lines = await server.call('GET', `/api/v1/ledger/export?format=jsonl&${query}`, { as })
      const fileRows = lines.text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as object)
      expect(fileRows).toEqual(expected)
    }
  })

  test('contains no formula for a spreadsheet to run, and negative numbers as numbers', async () => {
    const { text } = await server.call('GET', '/api/v1/ledger/export?format=csv', { as })
    expect(text).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(text).toContain(',0.000000000001,-0.000000000001,')
  })

  test.each([
    ['kind=gift', 'kind[0]', 400],
    ['from=2026-02-30', 'from', 400],
    ['from=2026-03-10&to=2026-03-09', 'to', 400],
    ['key_id=x', 'key_id', 400],
    [`key_id=key_${'0'.repeat(26)}`, 'key_id', 404],
    ['day=1', 'day', 400],
  ])('refuses %s', async (query, param, status) => {
    for (const answer of [
      await ask(query),
      await server.call('GET', `/api/v1/ledger/export?format=csv&${query}`, { as }),
    ])
      expect([answer.status, answer.json.error.param]).toEqual([status, param])
  })
})
