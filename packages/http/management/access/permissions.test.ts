import { reachOf, roles, type Role } from '@turnpike/identity'
import { beforeAll, describe, expect, test } from 'vitest'
import { exampleModel } from '../openapi/compatible/model.ts'
import { operationAt } from '../openapi/operation-table.ts'
import { permissionOf } from './permissions.ts'
import { suiteFullServer } from '../testing/full-server.ts'

/*
 * Tries each role on each operation of users: the response must follow the table. A permitted operation may
 * still fail for other reasons, since there is nothing to be found.
 */
const server = await suiteFullServer()

const operations = server.routes.filter(
  ({ method, path }) => method !== 'HEAD' && operationAt(method, path)?.surface === 'user',
)

let org = ''
const personOf: Partial<Record<Role, string>> = {}

beforeAll(async () => {
  const as = 'founder'
  org = (await server.call('POST', '/api/v1/organizations', { as, body: { name: 'Org' } })).json.id
  const headers = { 'x-turnpike-org': org }
  for (const role of roles) {
    const path = '/api/v1/organization/invitations'
    const invited = await server.call('POST', path, { as, headers, body: { role } })
    const [, code] = String(invited.json['url']).split('#')
    personOf[role] = `the ${role}`
    await server.call('POST', '/api/v1/organization-invitations/accept', {
      as: `the ${role}`,
      body: { code },
    })
  }
})

function ask(method: string, path: string, as: string, organization: string) {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    name === 'user_code' ? 'ABCD-EFGH' : `${name.replace(/_id$/, '').slice(0, 3)}_${'0'.repeat(26)}`,
  )
  const query = path.endsWith('/models/providers') ? `?model=${exampleModel.id}` : ''
  return server.call(method, filled + query, {
    as,
    headers: { 'x-turnpike-org': organization },
    // A field that no operation has, so that nothing is changed.
    ...(['GET', 'DELETE'].includes(method) ? {} : { body: { surprise: 1 } }),
  })
}

describe.each(roles)('%s', (role) => {
  test.each(operations.map(({ method, path }) => [operationAt(method, path)!.action, method, path] as const))(
    '%s',
    async (action, method, path) => {
      const permission = permissionOf(action)!
      const { status, json } = await ask(method, path, personOf[role]!, org)
      const error = (json as { error?: { message: string; param: string | null } } | null)?.error
      if (permission === 'person') {
        expect([status, error?.param]).toEqual([400, 'X-Turnpike-Org'])
        return
      }
      const isRefused = status === 403 && error?.message.includes(`The role \`${role}\` may not`) === true
      expect(isRefused).toBe(reachOf(role, permission) === undefined)
    },
  )
})

test.each(operations.map(({ method, path }) => [`${method} ${path}`, method, path] as const))(
  'a stranger finds no organization: %s',
  async (_, method, path) => {
    const foreign = await ask(method, path, 'stranger', org)
    const never = await ask(method, path, 'stranger', `acct_${'0'.repeat(26)}`)
    for (const answer of [foreign, never])
      expect([answer.status, answer.json.error.message]).toEqual([404, 'Organization not found.'])
  },
)

test('an operation without a permission cannot be served', () => {
  expect(permissionOf('somethingNew')).toBeUndefined()
  expect(permissionOf('constructor')).toBeUndefined()
})
