import { expect, test } from 'vitest'
import { resolveConfiguration } from './resolve/resolve.ts'
import type { ConfigurationInput } from './schema/schema.ts'

const sandbox = { processor: 'sandbox' }
const elsewhere = { public_url: 'https://llm.example.com' }
const stripe = { secret_key: 'sk_1', webhook_secret: 'whsec_1' }

/** Name, configuration, the resolved payment processor, and the number of warnings. */
const cases: [string, ConfigurationInput, unknown, number][] = [
  ['nothing', {}, sandbox, 0],
  ['no sandbox', { payments: { sandbox: false } }, null, 0],
  ['another public address', { server: elsewhere }, null, 0],
  ['another host', { server: { host: '0.0.0.0', public_url: 'http://localhost' } }, null, 0],
  ['a sandbox for all', { server: elsewhere, payments: { sandbox: true } }, sandbox, 1],
  [
    'Stripe',
    { payments: { stripe } },
    {
      processor: 'stripe',
      secretKey: 'sk_1',
      webhookSecret: 'whsec_1',
      apiBase: 'https://api.stripe.com',
      tax: { invoices: false, automaticTax: false, taxIds: false },
    },
    0,
  ],
  [
    'a Stripe elsewhere',
    { server: elsewhere, payments: { stripe: { ...stripe, api_base: 'http://127.0.0.1:1/' } } },
    expect.objectContaining({ processor: 'stripe', apiBase: 'http://127.0.0.1:1' }),
    0,
  ],
]

test('the configuration sets the issuer of receipts, whichever processor is used', () => {
  const issuerOf = (payments: ConfigurationInput['payments']) =>
    resolveConfiguration({ ...(payments && { payments }) }, { file: null, directory: '/', environment: {} })
      .receiptIssuer
  expect(issuerOf(undefined)).toBeNull()
  expect(issuerOf({ receipt: { issuer: ' Example GmbH ' } })).toEqual({
    name: 'Example GmbH',
    legalText: null,
  })
  expect(issuerOf({ stripe, receipt: { issuer: 'E', legal_text: 'Berlin\nVAT ID 1\n' } })).toEqual({
    name: 'E',
    legalText: 'Berlin\nVAT ID 1',
  })
})

test('automatic top-ups are on unless they are turned off, also with tax', () => {
  const isOn = (payments: ConfigurationInput['payments']) =>
    resolveConfiguration({ ...(payments && { payments }) }, { file: null, directory: '/', environment: {} })
      .autoTopup
  const taxed = { stripe: { ...stripe, automatic_tax: true } }
  expect([undefined, { stripe }, { stripe, auto_topup: false }, taxed].map(isOn)).toEqual([
    true,
    true,
    false,
    true,
  ])
})

test.each(cases)('%s: which processor is used', (_, input, payments, warnings) => {
  const surroundings = { file: null, directory: '/', environment: {} }
  const configuration = resolveConfiguration(input, surroundings)
  expect(configuration.payments).toEqual(payments)
  expect(configuration.warnings).toHaveLength(warnings)
})
