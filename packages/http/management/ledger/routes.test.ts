import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestRecord, startManagementServer, type ManagementServer } from '../testing/management-server.ts'

const accounts = '/api/v1/admin/accounts'
let server: ManagementServer
let account: string
let key: string

beforeAll(async () => {
  server = await startManagementServer()
  account = (await server.call('POST', accounts, { body: { oidc_sub: 'ledger' } })).json.id
  key = (await server.call('POST', `${accounts}/${account}/keys`, { body: { name: 'k' } })).json.id
  for (const amount of ['5', '6', '7']) {
    server.clock.nowMs += 1000
    const body = { amount_usd: amount, kind: 'grant', reason: `the ${amount}` }
    await server.call('POST', `${accounts}/${account}/credits`, { body })
  }
})
afterAll(() => server.close())

test('entries come newest first, page by page', async () => {
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

test('a charge is an entry that takes credit and names its request', async () => {
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

test('the ledger of an account that there is not is 404', async () => {
  expect((await server.call('GET', `${accounts}/acct_${'0'.repeat(26)}/ledger`)).status).toBe(404)
})

test('verification recomputes everything', async () => {
  const { status, json } = await server.call('GET', '/api/v1/admin/ledger/verify')
  expect(status).toBe(200)
  expect(json).toEqual({ ok: true, checked: expect.any(Number), differences: [] })
  expect(json.checked).toBeGreaterThan(0)
})
