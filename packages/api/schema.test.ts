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

/** A change of the API that the command line or the dashboard does not follow then shows in their types. */
test('the types of the API are those of the document that the gateway gives out', async () => {
  const source = typesOf(document, (path) => path.startsWith('/api/v1/') || path.startsWith('/v1/'))
  const advice = 'packages/api/schema.ts is stale, run npx vitest run packages/api -u'
  await expect(source, advice).toMatchFileSnapshot('schema.ts')
})

/** The compiler finds a value too many; only the document itself tells of one too few. */
describe('a list of values has all that the document has', () => {
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

/** Every text of an `enum`, wherever it stands in a schema. */
function textsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  if ('enum' in schema && Array.isArray(schema.enum))
    return schema.enum.filter((one) => typeof one === 'string')
  return Object.values(schema).flatMap(textsOf)
}
