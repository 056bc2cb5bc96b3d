import { expect, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { newSecret, signatureHeaders } from './signature.ts'

test('signatures verify with the standard’s own library, with either of two secrets only', () => {
  const [one, two, other] = [newSecret(), newSecret(), newSecret()]
  const body = JSON.stringify({ type: 'topup.paid', data: { name: 'Größe – ✓' } })
  const signed = { id: 'evt_01', timestamp: Math.floor(Date.now() / 1000), body }
  const headers = signatureHeaders(signed, [one, two])
  for (const secret of [one, two]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature')
  expect(() => new Webhook(one).verify(`${body} `, headers)).toThrow('No matching signature')
  const foreign = { ...headers, 'webhook-id': 'evt_02' }
  expect(() => new Webhook(one).verify(body, foreign)).toThrow('No matching signature')
})
