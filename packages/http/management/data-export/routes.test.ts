import { describe, expect, test } from 'vitest'
import { suiteFullServer } from '../testing/full-server.ts'
import { furnishedAccount } from '../testing/furnished-account.ts'
import { requestRecord } from '../testing/management-server.ts'
import { unzipped } from '../testing/unzipped.ts'

const path = '/api/v1/me/export'

const server = await suiteFullServer()
const ada = await furnishedAccount(server, 'ada')
const grace = await furnishedAccount(server, 'grace')

function ask(as: string): Promise<Response> {
  return fetch(server.origin + path, { headers: { authorization: `Bearer ${as}` } })
}

async function files(as: string): Promise<Map<string, string>> {
  const answer = await ask(as)
  expect(answer.status).toBe(200)
  return unzipped(Buffer.from(await answer.arrayBuffer()))
}

const linesOf = (text: string | undefined): string[] => (text ?? '').split('\r\n').slice(1, -1)

describe('own data', () => {
  test('is a ZIP of everything of the account, and nothing of others', async () => {
    const answer = await ask('ada')
    expect(answer.headers.get('content-type')).toBe('application/zip')
    expect(answer.headers.get('content-disposition')).toContain(`turnpike-${ada.account_id}-2026-03-10.zip`)
    const found = unzipped(Buffer.from(await answer.arrayBuffer()))
    expect([...found.keys()]).toEqual([
      'README.txt',
      'account.json',
      'billing.json',
      'keys.json',
      'projects.json',
      'budgets.json',
      'vendor-keys.json',
      'organizations.json',
      'sessions.json',
      'topups.json',
      'payments.json',
      'alerts.json',
      'ledger-1.csv',
      'usage-by-day-1.csv',
      'requests-1.csv',
      'prompts-1.jsonl',
    ])
    for (const name of found.keys())
      if (name !== 'README.txt') expect(found.get('README.txt')).toContain(name)
    const all = [...found.values()].join('')
    // An invitation belongs to the organization.
    for (const identifier of ada.identifiers.filter((one) => one !== ada.invitation_id))
      expect(all).toContain(identifier)
    for (const identifier of grace.identifiers) expect(all).not.toContain(identifier)
    expect(all).not.toMatch(/sk-turnpike-[0-9A-Za-z]{5}/)
    expect(all).not.toMatch(/"raw"|hash/)
    expect(linesOf(found.get('requests-1.csv'))).toHaveLength(2)
  })

  test('contains a ledger that agrees with the list, and usage that agrees with the ledger', async () => {
    const found = await files('ada')
    const { data } = (await server.call('GET', '/api/v1/ledger?limit=200', { as: 'ada' })).json
    const rows = linesOf(found.get('ledger-1.csv')).map((line) => line.split(','))
    expect(rows.map(([id, , , , amount, change]) => [id, amount, change])).toEqual(
      data.map((entry) => [entry.id, entry.amount_usd, entry['change_usd']]),
    )
    const charged = data.filter(({ kind }) => kind === 'usage').map((entry) => entry.amount_usd)
    const byDay = linesOf(found.get('usage-by-day-1.csv')).map((line) => line.split(',').at(-1))
    expect(charged).toEqual(['0.0000125', '0.0000125'])
    expect(byDay).toEqual(['0.000025'])
  })

  test('is complete while requests are written: each row once, and no earlier row missing', async () => {
    const as = 'hopper'
    const hopper = await furnishedAccount(server, as)
    const own = { accountId: hopper.account_id, keyId: hopper.key_id }
    const before = Array.from({ length: 3_000 }, () => requestRecord({ ...own, chargePico: 1n }))
    await server.write(...before)
    const exporting = ask(as)
    const isOver = exporting.then((answer) => answer.arrayBuffer())
    const writing = (async () => {
      for (let batch = 0; batch < 20; batch++)
        await server.write(...Array.from({ length: 50 }, () => requestRecord({ ...own, chargePico: 1n })))
    })()
    const found = unzipped(Buffer.from(await isOver))
    await writing
    const ids = linesOf(found.get('requests-1.csv')).map((line) => line.split(',')[0]!)
    expect(new Set(ids).size).toBe(ids.length)
    const known = new Set(ids)
    expect(before.filter(({ id }) => !known.has(id))).toEqual([])
    for (const line of linesOf(found.get('ledger-1.csv'))) expect(line).toMatch(/^led_/)
  })

  test('is made once at a time, and again as soon as the caller has left', async () => {
    const first = await ask('grace')
    const second = await ask('grace')
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '30'])
    expect((await ask('ada')).status).toBe(200)
    await first.body!.cancel()
    await expect
      .poll(async () => (await files('grace')).has('prompts-1.jsonl'), { timeout: 10_000 })
      .toBe(true)
  })

  test('accepts no parameter, and is 401 without a token', async () => {
    expect((await server.call('GET', `${path}?format=csv`, { as: 'ada' })).status).toBe(400)
    expect((await server.call('GET', path, { secret: null })).status).toBe(401)
  })
})
