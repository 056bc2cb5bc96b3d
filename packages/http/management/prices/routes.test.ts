import { invalidRequest } from '@turnpike/protocol'
import { beforeEach, expect, test } from 'vitest'
import { priceReport, suiteManagementServer } from '../testing/management-server.ts'
import type { PriceReport } from './routes.ts'

const path = '/api/v1/admin/prices'
const report: PriceReport = {
  ...priceReport,
  models: 2,
  changed_models: 1,
  changes: [{ model: 'a/b', price: 'prompt', before: '0.000001', after: null, changed_percent: null }],
  unpriced: ['a/b'],
  not_charged: [{ model: 'a/c', prices: ['web_searches_kcount'] }],
}

let refreshed: (() => Promise<PriceReport>) | undefined

const server = await suiteManagementServer({
  prices: { report: () => report, refresh: () => refreshed!() },
})
beforeEach(() => {
  refreshed = undefined
})

test('returns the current prices', async () => {
  const { status, json } = await server.call('GET', path)
  expect([status, json]).toEqual([200, report])
})

test('returns the result of a refresh', async () => {
  refreshed = async () => ({ ...report, updated_at: report.updated_at + 1 })
  const { status, json } = await server.call('POST', `${path}/refresh`)
  expect([status, json.updated_at]).toEqual([200, report.updated_at + 1])
})

test('explains why a refresh failed', async () => {
  refreshed = async () => {
    throw invalidRequest(undefined, 'prices.json: the file: expected a list')
  }
  const { status, json } = await server.call('POST', `${path}/refresh`)
  expect([status, json.error.message]).toEqual([400, 'prices.json: the file: expected a list'])
})

test.each([
  ['GET', path, { secret: 'a wrong secret' }, 401],
  ['POST', path, {}, 405],
  ['GET', `${path}/refresh`, {}, 405],
] as const)('%s %s with %j is %d', async (method, at, options, status) => {
  expect((await server.call(method, at, options)).status).toBe(status)
})
