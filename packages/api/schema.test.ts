import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFullServer } from '../http/management/testing/full-server.ts'
import type { ManagementServer } from '../http/management/testing/management-server.ts'
import * as api from './index.ts'
import { typesOf, type Document } from './testing/openapi-types.ts'

let server: ManagementServer
let document: Document

beforeAll(async () => {
  server = await startFullServer()
  document = (await server.call('GET', '/openapi.json')).json as unknown as Document
})
afterAll(() => server.close())

/** A change of the API then fails to compile in a client that does not follow it. */
test('the API’s types match the gateway’s OpenAPI document', async () => {
  const source = typesOf(document, (path) => path.startsWith('/api/v1/') || path.startsWith('/v1/'))
  const advice = 'packages/api/schema.ts is stale, run npx vitest run packages/api -u'
  await expect(source, advice).toMatchFileSnapshot('schema.ts')
})

/** The compiler detects an extra value; only the document shows a missing one. */
describe('a list of values contains all of the document’s', () => {
  test.each([
    ['alertKinds', api.alertKinds, 'AlertRule', 'kind'],
    ['budgetScopes', api.budgetScopes, 'Budget', 'scope'],
    ['deliveryStates', api.deliveryStates, 'Delivery', 'status'],
    ['endpoints', api.endpoints, 'Request', 'endpoint'],
    ['keyFates', api.keyFates, 'RemovedMember', 'keys'],
    ['ledgerKinds', api.ledgerKinds, 'LedgerEntry', 'kind'],
    ['operations', api.operations, 'Request', 'operation'],
    ['organizationRoles', api.organizationRoles, 'Member', 'role'],
    ['spendPeriods', api.spendPeriods, 'Key', 'spend_limit_period'],
    ['toldRoles', api.toldRoles, 'EventTarget', 'roles'],
  ])('%s', (_, listed, schema, field) => {
    const properties = document.components.schemas[schema]!['properties'] as Record<string, object>
    expect([...listed].sort()).toEqual(textsOf(properties[field]).sort())
  })
})

/** Every string of an `enum`, anywhere in a schema. */
function textsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  if ('enum' in schema && Array.isArray(schema.enum))
    return schema.enum.filter((one) => typeof one === 'string')
  return Object.values(schema).flatMap(textsOf)
}
