import { describe, expect, test } from 'vitest'
import { suiteFullServer } from '../testing/full-server.ts'
import { nowMs } from '../testing/management-server.ts'

const path = '/api/v1/me/billing'
const address = {
  name: 'Example GmbH',
  line1: 'Hauptstraße 1',
  line2: null,
  postal_code: '10827',
  city: 'Berlin',
  region: null,
  country: 'DE',
  vat_id: 'DE123456789',
}

const server = await suiteFullServer()

const put = (body: object, as = 'ada') => server.call('PUT', path, { as, body })

/** Opens and pays a top-up. @returns the path of its receipt */
async function paidTopup(as: string): Promise<string> {
  const { json } = await server.call('POST', '/api/v1/topup', { as, body: { amount_usd: '5' } })
  const id = String(json['session_id'])
  const topup = (await server.storage.topups.find(id))!
  await server.services.checkout!.topups.settle({
    about: 'session',
    session: {
      ...topup.checkout!,
      id: topup.checkout!.sessionId,
      topupId: id,
      state: 'paid',
      paymentId: `pi_${id}`,
      currency: 'usd',
      amountPico: topup.amountPico,
      taxPico: 0n,
    },
  })
  return `/api/v1/topup/${id}/receipt`
}

describe('billing details', () => {
  test('are empty at first, are stored in canonical form, and can be removed', async () => {
    const countries = expect.arrayContaining(['DE', 'US', 'XK']) as string[]
    const none = { object: 'billing_details', address: null, updated_at: null, countries }
    expect((await server.call('GET', path, { as: 'grace' })).json).toEqual(none)
    const typed = { ...address, name: ' Example GmbH ', country: 'de', vat_id: 'de 123.456.789' }
    const kept = await put(typed, 'grace')
    expect([kept.status, kept.json]).toEqual([200, { ...none, address, updated_at: nowMs / 1000 }])
    expect((await server.call('GET', path, { as: 'grace' })).json).toEqual(kept.json)
    expect((await server.call('DELETE', path, { as: 'grace' })).json).toEqual(none)
  })

  test.each([
    [{ vat_id: 'DE12345678' }, 'vat_id', 'DE123456789'],
    [{ vat_id: '1'.repeat(10_000) }, 'vat_id', '1 to 32 characters'],
    [{ vat_id: '=HYPERLINK("x")', country: 'US' }, 'vat_id', '4 to 20'],
    [{ country: 'XX' }, 'country', 'ISO 3166-1'],
    [{ country: 'Germany' }, 'country', 'ISO 3166-1'],
    [{ name: '' }, 'name', '1 to 120'],
    [{ name: '   ' }, 'name', '1 to 120'],
    [{ name: 'a\nb' }, 'name', 'single line'],
    [{ line1: 'x'.repeat(121) }, 'line1', '1 to 120'],
    [{ city: undefined }, 'city', 'missing'],
    [{ city: 7 }, 'city', 'single line'],
    [{ name: 'a\u0000' }, 'name', 'NUL'],
    [{ state: 'x' }, 'state', 'Unknown'],
  ])('with %j are refused at the field', async (change, param, message) => {
    const { status, json } = await put({ ...address, ...change })
    expect([status, json.error.param]).toEqual([400, param])
    expect(json.error.message).toContain(message)
    expect(json.error.message.length).toBeLessThan(400)
  })

  test('are audited as set, without their values', async () => {
    await put({ ...address, name: 'Nobody’s Business' }, 'lovelace')
    const { text } = await server.call('GET', '/api/v1/admin/audit?action=setBillingDetails')
    expect(text).toContain('setBillingDetails')
    expect(text).not.toContain('Nobody’s Business')
  })

  test('appear on receipts from then on, but not on earlier ones', async () => {
    const before = await paidTopup('ada')
    const first = await server.call('GET', before, { as: 'ada' })
    expect(first.json).toMatchObject({ billing_address: null, account: { display_name: null } })
    await put(address)
    await server.call('PATCH', '/api/v1/me', { as: 'ada', body: { display_name: 'Ada' } })
    const after = await paidTopup('ada')
    const second = await server.call('GET', after, { as: 'ada' })
    expect(second.json).toMatchObject({ billing_address: address, account: { display_name: 'Ada' } })
    await put({ ...address, name: 'Another Ltd', country: 'US', vat_id: null })
    await server.call('PATCH', '/api/v1/me', { as: 'ada', body: { display_name: 'Somebody else' } })
    expect((await server.call('GET', before, { as: 'ada' })).json).toEqual(first.json)
    expect((await server.call('GET', after, { as: 'ada' })).json).toEqual(second.json)
    await server.call('DELETE', path, { as: 'ada' })
    expect((await server.call('GET', after, { as: 'ada' })).json).toEqual(second.json)
  })
})
