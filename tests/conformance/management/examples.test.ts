import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebhookReceiver } from '../../../apps/server/notify/testing/webhook-receiver.ts'
import type { TestNode } from '../../nodes/test-node.ts'
import { DocumentedApi, escaped } from './documented-api.ts'
import { furnish, startFurnishedNode, type Furnished } from './furnished-gateway.ts'
import { closed, oddities } from './look.ts'

/*
 * Compares the management API in /openapi.json with the responses of a real gateway: the schemas, and the
 * examples, each of which must look like a real row.
 */

let node: TestNode
let api: DocumentedApi
let furnished: Furnished
const receiver = new WebhookReceiver()

beforeAll(async () => {
  node = await startFurnishedNode()
  api = await DocumentedApi.of(node.origin)
  await receiver.listen()
  furnished = await furnish(node, api, receiver)
})
afterAll(async () => {
  await node.stop()
  await receiver.close()
})

/** Lists that stay empty unless something goes wrong. */
const rowless = [
  'GET /api/v1/admin/prices/changes has no row to compare with',
  'GET /api/v1/admin/set-aside has no row to compare with',
  'GET /api/v1/me/connected-apps has no row to compare with',
]

test('every resource matches its schema and its example', async () => {
  const paths = Object.entries(api.document.paths).filter(([path]) => path.startsWith('/api/v1/'))
  const readable = paths.filter(([, item]) => item['get'] !== undefined).map(([path]) => path)
  for (const path of readable) {
    for (const query of queriesOf(path)) await api.ask(filled(path) + query, { headers: headersFor(path) })
  }
  expect(api.odd).toEqual(rowless)
  expect(readable.filter((path) => !api.answered.has(api.document.paths[path]!['get']!.operationId))).toEqual(
    [],
  )
})

test('every example has only the fields of its schema', () => {
  const odd: string[] = []
  for (const [path, item] of Object.entries(api.document.paths)) {
    if (!path.startsWith('/api/v1/')) continue
    for (const [method, { requestBody, responses }] of Object.entries(item)) {
      const root = `/paths/${escaped(path)}/${method}`
      const bodies = Object.entries(responses).map(
        ([status, { content }]) => [`responses/${status}`, content] as const,
      )
      for (const [place, content] of [['requestBody', requestBody?.content] as const, ...bodies]) {
        const example = content?.['application/json']?.example
        if (example === undefined) continue
        const misfit = api.misfit(`${root}/${place}/content/application~1json/schema`, example)
        if (misfit !== '') odd.push(`${method} ${path} ${place} ${misfit}`)
      }
    }
  }
  expect(odd).toEqual([])
})

function filled(path: string): string {
  const isOfOperator = /^\/api\/v1\/admin\/(event|deliver)/.test(path)
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const isOfOrganization = name === 'account_id' && path.includes('/organization')
    const known = isOfOrganization ? 'organization_id' : isOfOperator ? `operator_${name}` : name
    const value = furnished.parameters[known]
    if (value === undefined) throw new Error(`this test has no \`${known}\``)
    return value
  })
}

function queriesOf(path: string): string[] {
  if (path.endsWith('/usage/breakdown')) return ['?by=tag', '?by=endpoint', '?by=day&by=model']
  if (path.endsWith('/usage/health')) return ['?by=model']
  if (/\/(usage|ledger)\/export$/.test(path)) return ['?format=jsonl', '?format=csv']
  return path.endsWith('/models/providers') ? ['?model=sandbox/echo'] : ['']
}

function headersFor(path: string): Record<string, string> {
  if (path.startsWith('/api/v1/admin/')) return furnished.operator
  return /\/organization(\/|$)/.test(path) ? furnished.organization : furnished.user
}

describe('differences between an example and real rows', () => {
  const row = {
    id: `req_${'0'.repeat(26)}`,
    endpoint: 'messages',
    cost_usd: '0.1',
    created_at: 1_741_050_000,
  }
  test.each([
    [{ id: '17' }, 'id: "17" is money, real ones are req_'],
    [{ endpoint: '/v1/messages' }, 'endpoint: "/v1/messages" is path, real ones are text'],
    [{ cost_usd: 'ten cents' }, 'cost_usd: "ten cents" is text, real ones are money'],
    [{ created_at: 1_741_050_000_000 }, 'created_at: 1741050000000 and 1741050000 are not both times'],
  ])('are found in %o', (example, odd) => {
    expect(oddities({ data: [{ ...row, ...example }] }, [{ data: [row] }], '')).toEqual([`data[].${odd}`])
    expect(oddities({ data: [row] }, [{ data: [row] }], '')).toEqual([])
  })

  test('are found for an unknown field', () => {
    const schema = { type: 'object', properties: { id: { type: 'string' } } }
    expect(closed(schema)).toEqual({ ...schema, additionalProperties: false })
  })
})
