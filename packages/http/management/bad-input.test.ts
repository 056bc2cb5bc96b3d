import { maxUsageGroups } from '@turnpike/gateway'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenapiDocument } from './openapi/document-types.ts'
import { operationAt } from './openapi/operation-table.ts'
import { startFullServer } from './testing/full-server.ts'
import { actedFor, furnishedAccount, type FurnishedAccount } from './testing/furnished-account.ts'
import type { Answer } from './testing/management-server.ts'

/* Tries invalid input on every endpoint of users and operators. */
const server = await startFullServer()
const document = (await server.call('GET', '/openapi.json')).json as unknown as OpenapiDocument
afterAll(() => server.close())

let ada: FurnishedAccount
beforeAll(async () => {
  ada = await furnishedAccount(server, 'ada')
})

interface Endpoint {
  method: string
  path: string
}

const endpoints = server.routes.filter(({ method, path }) => {
  const surface = operationAt(method, path)?.surface
  return method !== 'HEAD' && path.startsWith('/api/') && (surface === 'user' || surface === 'operator')
})
const bodied = endpoints.filter((one) => operationAt(one.method, one.path)?.request !== undefined)
const names = ({ method, path }: Endpoint): string => `${method} ${path}`
const rows = (list: readonly Endpoint[]) => list.map((one) => [names(one), one] as const)

function send({ method, path }: Endpoint, query = '', body?: unknown, headers = {}): Promise<Answer> {
  const acting = actedFor(path, ada)
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const known: Record<string, unknown> = {
      ...ada,
      account_id: acting.accountId,
      invite_id: `inv_${'0'.repeat(26)}`,
      verification_id: `ver_${'0'.repeat(26)}`,
      row_id: '0'.repeat(32),
      kind: 'balance',
    }
    return String(known[name])
  })
  const user: { as?: string } = path.startsWith('/api/v1/admin') ? {} : { as: ada.subject }
  return server.call(method, filled + query, {
    ...(body === undefined ? {} : { body }),
    headers: { ...(user.as !== undefined && acting.headers), ...headers },
    ...user,
  })
}

function queryNames({ method, path }: Endpoint): string[] {
  const { parameters = [] } = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!
  return parameters.flatMap((one) => ('in' in one && one.in === 'query' ? [one.name] : []))
}

const explained = endpoints.find(({ path }) => path === '/api/v1/route')

describe('bodies', () => {
  const deep = `{"name": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  test.each(rows(bodied))('%s refuses a body that is not an object of its fields', async (_, one) => {
    const cases: [string, unknown, number, Record<string, string>?][] = [
      ['nothing', '', 400],
      ['half of JSON', '{"name": ', 400],
      ['a list', '[]', 400],
      ['a text', '"x"', 400],
      ['null', 'null', 400],
      ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 400],
      ['depth', deep, 400],
      ['an unknown field', { surprise: 1 }, 400],
      ['__proto__', '{"__proto__": {"x": 1}}', 400],
      ['a body that is packed', '{}', 415, { 'content-encoding': 'gzip' }],
      ['a form', 'name=x', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
      ['more than 1 MiB', `"${'x'.repeat(1024 * 1024)}"`, 413],
    ]
    if (operationAt(one.method, one.path)?.bodyOptional === true) cases.shift()
    for (const [what, body, status, headers] of cases) {
      const answer = await send(one, '', body, headers)
      expect([what, answer.status]).toEqual([what, status])
      expect(answer.json.error.request_id).toBe(answer.headers.get('x-request-id'))
    }
    const unknown = await send(one, '', { surprise: 1 })
    // The body that auto-routing explains is a chat completion, which may have fields of vendors.
    expect(unknown.json.error.param).toBe(one === explained ? 'messages' : 'surprise')
  })

  test.each(rows(bodied))(
    '%s refuses texts of 10 kB, NUL and half a surrogate pair in each of its fields',
    async (_, one) => {
      const example = operationAt(one.method, one.path)!.request as Record<string, unknown>
      for (const [name, value] of Object.entries(example)) {
        if (typeof value !== 'string') continue
        for (const text of ['x'.repeat(10_240), 'a\0b', '\ud800']) {
          const answer = await send(one, '', { ...example, [name]: text })
          expect([name, text.slice(0, 3), answer.status, answer.json.error.param]).toEqual([
            name,
            text.slice(0, 3),
            400,
            name,
          ])
        }
      }
    },
  )

  test.each(
    rows(bodied.filter((one) => 'amount_usd' in (operationAt(one.method, one.path)!.request as object))),
  )('%s refuses amounts that are none', async (_, one) => {
    const example = operationAt(one.method, one.path)!.request as Record<string, unknown>
    const amounts = [
      'abc',
      '-5',
      -5,
      '0',
      '',
      ' 5',
      '5,00',
      '0x10',
      'NaN',
      'Infinity',
      '1e400',
      true,
      null,
      [],
      {},
    ]
    for (const amount of [...amounts, '0.0000000000001', '99999999999999999999']) {
      const answer = await send(one, '', { ...example, amount_usd: amount })
      expect([amount, answer.status, answer.json.error.param]).toEqual([amount, 400, 'amount_usd'])
    }
  })
})

/** Query parameters that an endpoint requires. */
function required({ path }: Endpoint): string {
  if (path.endsWith('/breakdown')) return '&by=tag'
  return path.endsWith('/export') ? '&format=csv' : ''
}

/** The larger page limits of lists that allow more than 200 rows. */
const mostByEnd = [
  ['/breakdown', maxUsageGroups],
  ['/health', 3_000],
] as const

describe('queries', () => {
  const withQuery = endpoints.filter((one) => queryNames(one).length > 0)
  test.each(rows(withQuery))('%s refuses an unknown parameter by name', async (_, one) => {
    const answer = await send(one, '?surprise=1')
    expect([answer.status, answer.json.error.param]).toEqual([400, 'surprise'])
  })

  test.each(rows(withQuery.filter((one) => queryNames(one).includes('days'))))(
    '%s refuses days outside of 1 to 365',
    async (_, one) => {
      for (const days of ['0', '366', '-1', '1.5', '1e2', 'x', '', '99999999999999999999', '1&days=2']) {
        const answer = await send(one, `?days=${days}${required(one)}`)
        expect([days, answer.status, answer.json.error.param]).toEqual([days, 400, 'days'])
      }
      for (const days of [1, 365]) expect((await send(one, `?days=${days}${required(one)}`)).status).toBe(200)
    },
  )

  test.each(rows(withQuery.filter((one) => queryNames(one).includes('limit'))))(
    '%s refuses limits below 1, and beyond the most that it says',
    async (_, one) => {
      const most = mostByEnd.find(([end]) => one.path.endsWith(end))?.[1] ?? 200
      for (const limit of ['0', String(most + 1), '-1', 'x', '1.5', '']) {
        const answer = await send(one, `?limit=${limit}${required(one)}`)
        expect([limit, answer.status, answer.json.error.param]).toEqual([limit, 400, 'limit'])
      }
    },
  )
})

describe('cursors', () => {
  const lists = endpoints.filter((one) => queryNames(one).includes('cursor'))
  const cursors = new Map<string, string>()

  beforeAll(async () => {
    await furnishedAccount(server, 'grace')
    for (const email of ['a@example.com', 'b@example.com'])
      await server.call('POST', '/api/v1/admin/identity/invites', { body: { email } })
    const priced = { nodeId: 'node_a', version: 'prices_a', sourceOf: () => 'built in' }
    for (const prompt of ['1', '2', '3'])
      await server.storage.priceHistory.record({ ...priced, prices: { 'a/b': { prompt } } }, Date.now())
    for (let count = 0; count < 2; count++) {
      const { run } = await server.storage.verifications.begin('node_a', Date.now())
      await server.storage.verifications.end(
        run.id,
        { state: 'finished', checked: 1, differences: [] },
        Date.now(),
      )
    }
    const hook = { kind: 'webhook', url: 'https://hooks.example.com/' }
    const { json: target } = await server.call('POST', '/api/v1/admin/event-targets', { body: hook })
    for (let count = 0; count < 2; count++)
      await server.call('POST', `/api/v1/admin/event-targets/${target.id}/test`)
    for (const list of lists) {
      const { json, status } = await send(list, `?limit=1${required(list)}`)
      expect([names(list), status, json.next_cursor]).toEqual([names(list), 200, expect.any(String)])
      cursors.set(names(list), json.next_cursor)
    }
  })

  test.each(rows(lists))('%s refuses cursors of other lists, and invalid ones', async (_, one) => {
    const whatIsListed = ({ method, path }: Endpoint): string => {
      const ofAll = /admin\/(usage|audit|accounts$|identity|events$|deliveries$)/.test(path)
      return `${operationAt(method, path)!.action} ${ofAll ? 'of all' : 'of one account'}`
    }
    for (const other of lists) {
      const answer = await send(one, `?cursor=${cursors.get(names(other))}${required(one)}`)
      // A user's list and the same account's list for the operator are the same list.
      const expected = whatIsListed(other) === whatIsListed(one) ? 200 : 400
      expect([names(other), answer.status]).toEqual([names(other), expected])
    }
    for (const cursor of ['x', '', '%00', 'W10', 'bnVsbA', 'e30', 'x'.repeat(2_100)]) {
      const answer = await send(one, `?cursor=${cursor}${required(one)}`)
      expect([cursor, answer.status, answer.json.error.param]).toEqual([cursor, 400, 'cursor'])
    }
  })
})

describe('headers', () => {
  // An operation that changes nothing can always be repeated. One that takes a password accepts no key.
  const posts = endpoints.filter(
    (one) => one.method === 'POST' && one !== explained && operationAt(one.method, one.path)?.unkept !== true,
  )
  test.each(rows(posts))('%s refuses an invalid Idempotency-Key', async (_, one) => {
    const body = operationAt(one.method, one.path)?.request
    for (const key of ['', 'x'.repeat(256), 'a b', 'ä']) {
      const answer = await send(one, '', body, { 'idempotency-key': key })
      expect([key, answer.status, answer.json.error.param]).toEqual([key, 400, 'Idempotency-Key'])
    }
  })
})

describe('paths', () => {
  const placed = endpoints.filter(({ path }) => path.includes(':'))
  test.each(rows(placed))('%s refuses an invalid identifier', async (_, { method, path }) => {
    const user = path.startsWith('/api/v1/admin') ? {} : { as: ada.subject }
    const last = path.lastIndexOf(':')
    for (const id of [
      'x',
      `KEY_${'0'.repeat(26)}`,
      `key_${'0'.repeat(25)}l`,
      '..%2f..',
      'a'.repeat(5000),
      '%00',
    ]) {
      const filled =
        path.slice(0, last).replace(':account_id', ada.account_id) + path.slice(last).replace(/:\w+/, id)
      const answer = await server.call(method, filled, user)
      expect([id, answer.status, answer.json.error.type]).toEqual([id, 404, 'not_found_error'])
    }
  })
})
