import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonSchema, OpenapiDocument } from '../openapi/document-types.ts'
import { exampleModel } from '../openapi/compatible/model.ts'
import { operationAt } from '../openapi/operation-table.ts'
import { startFullServer } from '../testing/full-server.ts'
import { actedFor, furnishedAccount, type FurnishedAccount } from '../testing/furnished-account.ts'
import type { Answer } from '../testing/management-server.ts'

/*
 * An account must see nothing of another. The cases are generated from the existing routes, so that a new
 * route cannot be forgotten: an identifier that this test does not know fails it.
 */
const server = await startFullServer()
const document = (await server.call('GET', '/openapi.json')).json as unknown as OpenapiDocument
afterAll(() => server.close())

const accountPath = '/api/v1/admin/accounts/:account_id/'

interface Case {
  method: string
  path: string
}

const cases: Case[] = server.routes.filter(
  ({ method, path }) =>
    method !== 'HEAD' && (operationAt(method, path)?.surface === 'user' || path.startsWith(accountPath)),
)
const named = ({ method, path }: Case): string => `${method} ${path}`

const namesIdentifier = ({ path }: Case): boolean => identifiersIn(path).length > 0

/** The identifiers in a path, except the account that an operator names, and those shared by all accounts. */
function identifiersIn(path: string): string[] {
  const rest = path.startsWith(accountPath) ? path.slice(accountPath.length) : path
  return [...rest.matchAll(/:(\w+)/g)].map(([, name]) => name!).filter((name) => name !== 'kind')
}

let mine: FurnishedAccount
let theirs: FurnishedAccount

beforeAll(async () => {
  mine = await furnishedAccount(server, 'ada')
  theirs = await furnishedAccount(server, 'grace')
})

/** Calls the route as my account, with the identifiers of the given account. */
function call({ method, path }: Case, whose: FurnishedAccount, extra: Extra = {}): Promise<Answer> {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    name === 'account_id'
      ? actedFor(path, mine).accountId
      : name === 'kind'
        ? 'balance'
        : identifierOf(name, whose),
  )
  const example = operationAt(method, path)?.request as Record<string, unknown> | undefined
  const { key_id: _, ...request } = example ?? {}
  const body = example === undefined ? {} : { body: { ...request, ...extra.body } }
  const user = path.startsWith('/api/v1/admin')
    ? {}
    : { as: mine.subject, headers: actedFor(path, mine).headers }
  const query = extra.query ?? (method === 'DELETE' && path.includes('/members/') ? '?keys=revoked' : '')
  return server.call(method, `${filled}${query}`, { ...body, ...user })
}

interface Extra {
  query?: string
  body?: Record<string, unknown>
}

function identifierOf(name: string, whose: FurnishedAccount): string {
  const { identifiers: _, ...named } = whose
  const known: Record<string, string> = { ...named, to_key_id: whose.key_id, from_key_id: whose.key_id }
  if (known[name] === undefined) throw new Error(`this test does not know \`${name}\``)
  return known[name]
}

test('no path of users names an account: the token does, or `X-Turnpike-Org`', () => {
  const naming = cases.filter(({ path }) => !path.startsWith(accountPath) && path.includes(':account_id'))
  expect(naming.map(named)).toEqual([])
})

describe("another account's identifier in the path", () => {
  test.each(cases.filter(namesIdentifier).map((one) => [named(one), one] as const))(
    '%s is 404, like an identifier that never existed',
    async (_, one) => {
      const foreign = await call(one, theirs)
      expect([foreign.status, foreign.json.error.type]).toEqual([404, 'not_found_error'])
      const changed = (id: string): string => id.replace(/.{6}$/, '000000')
      const { key_id: key, session_id: session, request_id: request, member_id: member } = theirs
      const never = await call(one, {
        ...theirs,
        key_id: changed(key),
        session_id: changed(session),
        request_id: changed(request),
        member_id: changed(member),
        project_id: changed(theirs.project_id),
        invitation_id: changed(theirs.invitation_id),
        budget_id: changed(theirs.budget_id),
      })
      expect([never.status, never.json.error.message]).toEqual([404, foreign.json.error.message])
    },
  )
})

describe("another account's identifier in the query or the body", () => {
  const asking = cases.flatMap((one) =>
    fieldsOf(one).map((field) => [named(one), field.name, field, one] as const),
  )
  test('occurs in some routes', () => expect(asking.length).toBeGreaterThan(6))

  test.each(asking)('%s with its `%s` is 404', async (_, name, { where }, one) => {
    const value = identifierOf(name, theirs)
    const others = one.path.endsWith('/usage/breakdown') ? '&by=tag' : '&format=csv'
    const query = one.path.endsWith('/export') || one.path.endsWith('/breakdown') ? others : ''
    const extra = where === 'query' ? { query: `?${name}=${value}${query}` } : { body: { [name]: value } }
    const answer = await call(one, mine, extra)
    expect([answer.status, answer.json.error.param]).toEqual([404, name])
  })
})

describe('routes without an identifier', () => {
  const rest = cases.filter((one) => !namesIdentifier(one) && one.method === 'GET')
  test.each(rest.map((one) => [named(one), one] as const))('%s shows one account only', async (_, one) => {
    const others: Record<string, string> = {
      '/breakdown': '?by=key',
      '/usage/export': '?format=jsonl',
      '/ledger/export': '?format=jsonl',
      '/models/providers': `?model=${exampleModel.id}`,
    }
    const [, query = ''] = Object.entries(others).find(([end]) => one.path.endsWith(end)) ?? []
    const answer = await call(one, mine, { query })
    expect(answer.status).toBe(200)
    for (const identifier of theirs.identifiers) expect(answer.text).not.toContain(identifier)
    expect(answer.text).not.toContain('of grace')
  })
})

/** The fields of query and body that name something of an account. */
function fieldsOf({ method, path }: Case): { name: string; where: 'query' | 'body' }[] {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!
  const query = (operation.parameters ?? []).flatMap((one) =>
    'in' in one && one.in === 'query' ? [one.name] : [],
  )
  const schema = operation.requestBody?.content['application/json']?.schema ?? {}
  const body = Object.keys((schema['properties'] as JsonSchema | undefined) ?? {})
  return [
    ...query.map((name) => ({ name, where: 'query' as const })),
    ...body.map((name) => ({ name, where: 'body' as const })),
  ].filter(({ name }) => name.endsWith('_id') && name !== 'vat_id')
}

test('none of these calls has changed anything of the other account', async () => {
  const keys = await server.call('GET', '/api/v1/me/keys', { as: theirs.subject })
  expect(keys.json.data.map((key) => `${String(key['name'])} ${String(key['status'])}`).toSorted()).toEqual([
    'first active',
    'second active',
  ])
  const balance = await server.call('GET', '/api/v1/balance', { as: theirs.subject })
  expect(balance.json.balance_usd).toBe('104.999975')
})
