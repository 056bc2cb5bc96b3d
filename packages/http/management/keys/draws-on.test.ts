import { beforeEach, describe, expect, test } from 'vitest'
import { suiteManagementServer } from '../testing/management-server.ts'

const accounts = '/api/v1/admin/accounts'
const unknownKey = `key_${'0'.repeat(26)}`
let account: string
let keys: string
let first: string

const server = await suiteManagementServer()

const newAccount = async (): Promise<string> =>
  (await server.call('POST', accounts, { body: { oidc_sub: crypto.randomUUID() } })).json.id

/** Moves the clock on: keys of one millisecond have no order. */
const make = async (body: object = {}, path = keys) => {
  server.clock.nowMs++
  return server.call('POST', path, { body: { name: 'x', ...body } })
}

const read = async (key: string) => (await server.call('GET', `${keys}/${key}`)).json

const change = (key: string, body: unknown) => server.call('PATCH', `${keys}/${key}`, { body })

const grant = (amount: string, key?: string) =>
  server.call('POST', `${accounts}/${account}/credits`, {
    body: { amount_usd: amount, kind: 'grant', reason: 'test', ...(key !== undefined && { key_id: key }) },
  })

beforeEach(async () => {
  account = await newAccount()
  keys = `${accounts}/${account}/keys`
  first = (await make()).json.id
  await grant('5')
})

describe('a new key', () => {
  test('draws on the default key, which has its own credit, unless the request says otherwise', async () => {
    expect(await read(first)).toMatchObject({ draws_on: null, balance_usd: '5' })
    const second = await make()
    expect([second.status, second.json.draws_on]).toEqual([201, first])
    const own = (await make({ draws_on: null })).json
    expect(own.draws_on).toBeNull()
    const third = (await make({ draws_on: own.id })).json
    expect(third).toMatchObject({ draws_on: own.id, balance_usd: '0' })
    const listed = (await server.call('GET', keys)).json.data
    expect(listed.filter((key) => key['draws_on'] === null)).toHaveLength(2)
    expect(await read(third.id)).toMatchObject({ draws_on: own.id })
  })

  test('cannot draw on a key that cannot pay', async () => {
    const second = (await make()).json.id
    const gone = (await make()).json.id
    await server.call('DELETE', `${keys}/${gone}`)
    const foreign = (await make({}, `${accounts}/${await newAccount()}/keys`)).json.id
    for (const [drawsOn, status] of [
      [second, 400],
      [gone, 400],
      [foreign, 404],
      [unknownKey, 404],
      ['default', 400],
      [7, 400],
    ] as const) {
      const { status: answered, json } = await make({ draws_on: drawsOn })
      expect([drawsOn, answered, json.error.param]).toEqual([drawsOn, status, 'draws_on'])
    }
  })
})

describe('a change', () => {
  test("moves the key's credit, or leaves it to a transfer", async () => {
    const own = (await make({ draws_on: null })).json.id
    await grant('2', own)
    server.told.length = 0
    const drawing = await change(own, { draws_on: first })
    expect(drawing.json).toMatchObject({ draws_on: first, balance_usd: '0' })
    expect(server.told.filter((line) => line !== 'flush')).toEqual([`release ${own}`, `changed ${own}`])
    expect((await read(first)).balance_usd).toBe('7')
    const apart = await change(own, { draws_on: null, name: 'own' })
    expect(apart.json).toMatchObject({ draws_on: null, balance_usd: '0', name: 'own' })
  })

  test('is refused if it is impossible, and then changes nothing', async () => {
    const [second, own] = [(await make()).json.id, (await make({ draws_on: null })).json.id]
    for (const [key, drawsOn] of [
      [first, own],
      [own, second],
      [own, own],
    ] as const) {
      const { status, json } = await change(key, { draws_on: drawsOn, name: 'y' })
      expect([status, json.error.param]).toEqual([400, 'draws_on'])
      expect((await read(key)).name).toBe('x')
    }
    expect((await change(unknownKey, { draws_on: first })).status).toBe(404)
  })
})

test('a key that is given credit by name has its own from then on', async () => {
  const [second, third] = [(await make()).json.id, (await make()).json.id]
  await grant('1', second)
  await server.call('POST', `${keys}/${first}/transfer`, { body: { to_key_id: third, amount_usd: '2' } })
  expect(await read(second)).toMatchObject({ draws_on: null, balance_usd: '1' })
  expect(await read(third)).toMatchObject({ draws_on: null, balance_usd: '2' })
  expect(await read(first)).toMatchObject({ balance_usd: '3' })
})

test('a key that draws on another has no credit to move', async () => {
  const second = (await make()).json.id
  const body = { to_key_id: first, amount_usd: '1' }
  const { status, json } = await server.call('POST', `${keys}/${second}/transfer`, { body })
  expect([status, json.error.param]).toEqual([400, 'key_id'])
  expect(json.error.message).toContain(first)
})

test('keys follow the key that they draw on when it is rotated, then revoked', async () => {
  const [second, third] = [(await make()).json.id, (await make()).json.id]
  const next = (await server.call('POST', `${keys}/${first}/rotate`, { body: {} })).json
  expect(next).toMatchObject({ draws_on: null, balance_usd: '5' })
  expect(await read(second)).toMatchObject({ draws_on: next.id })
  await server.call('DELETE', `${keys}/${next.id}`)
  expect(await read(second)).toMatchObject({ draws_on: null, balance_usd: '5' })
  expect(await read(third)).toMatchObject({ draws_on: second, balance_usd: '0' })
})
