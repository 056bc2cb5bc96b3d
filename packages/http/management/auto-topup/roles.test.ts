import { expect, test } from 'vitest'
import { suiteFullServer } from '../testing/full-server.ts'

const server = await suiteFullServer()

test('an organization’s automatic top-up is set by owners and billing, and seen by admins', async () => {
  const made = await server.call('POST', '/api/v1/organizations', { as: 'founder', body: { name: 'O' } })
  const headers = { 'x-turnpike-org': made.json.id }
  const call = async (as: string, method: string, path: string, body?: object): Promise<number> =>
    (await server.call(method, `/api/v1${path}`, { as, headers, ...(body !== undefined && { body }) })).status
  for (const role of ['admin', 'developer', 'billing', 'viewer']) {
    const invited = await server.call('POST', '/api/v1/organization/invitations', {
      as: 'founder',
      headers,
      body: { role },
    })
    const [, code] = String(invited.json['url']).split('#')
    const accepting = { as: role, body: { code } }
    await server.call('POST', '/api/v1/organization-invitations/accept', accepting)
  }
  const id = `pmt_${'0'.repeat(26)}`
  const setting = { threshold_usd: '5', amount_usd: '5', monthly_cap_usd: '5', payment_method_id: id }
  const statusesOf = (as: string): Promise<number[]> =>
    Promise.all([
      call(as, 'GET', '/auto-topup'),
      call(as, 'PUT', '/auto-topup', setting),
      call(as, 'DELETE', '/auto-topup'),
      call(as, 'GET', '/payment-methods'),
      call(as, 'DELETE', `/payment-methods/${id}`),
    ])
  // A permitted role gets 404 for a payment method that does not exist.
  const may = [200, 404, 200, 200, 404]
  const mayNot = [403, 403, 403, 403, 403]
  expect(await Promise.all(['founder', 'billing', 'admin', 'developer', 'viewer'].map(statusesOf))).toEqual([
    may,
    may,
    [200, 403, 403, 200, 403],
    mayNot,
    mayNot,
  ])
})
