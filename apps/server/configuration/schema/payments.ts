import { Type } from 'typebox'
import { defaults } from '../defaults.ts'
import { closed, secret, url } from './values.ts'

export const payments = closed('Payments for credit. Without it: see `payments.sandbox`.', {
  stripe: Type.Optional(
    closed('Stripe Checkout.', {
      secret_key: secret({ description: 'Secret API key.' }),
      webhook_secret: secret({
        description: 'Signing secret of the webhook at `<public_url>/webhooks/stripe`.',
      }),
      api_base: Type.Optional(
        url(['http', 'https'], {
          default: defaults.payments.stripe.api_base,
          description: "Origin of Stripe's API.",
        }),
      ),
      invoices: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Whether Stripe creates an invoice for each payment, automatic top-ups included.',
        }),
      ),
      automatic_tax: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            "Whether Stripe adds tax to the amount, by the customer's location. Tax buys no " +
            'credit. Automatic top-ups are then charged by invoice.',
        }),
      ),
      tax_id_collection: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Whether businesses can enter their tax number at checkout.',
        }),
      ),
    }),
  ),
  sandbox: Type.Optional(
    Type.Boolean({
      description:
        'Whether to use a checkout page of the gateway on which credit is free: anyone who reaches ' +
        'it can take as much as they like. Default: only without `stripe`, while `host` and ' +
        '`public_url` are both loopback.',
    }),
  ),
  auto_topup: Type.Optional(
    Type.Boolean({
      description: 'Whether accounts can save a payment method for automatic top-ups. Default: true.',
    }),
  ),
  receipt: Type.Optional(
    closed('Seller named on receipts. Without it: nobody.', {
      issuer: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the seller.' }),
      legal_text: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2_000,
          description: 'Address, register and tax numbers, as receipts must show them.',
        }),
      ),
    }),
  ),
})
