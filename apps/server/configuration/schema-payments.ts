import { Type } from 'typebox'
import { defaults } from './defaults.ts'
import { closed, secret, url } from './schema-values.ts'

export const payments = closed('Who takes the money for credit. Absent: see `payments.sandbox`.', {
  stripe: Type.Optional(
    closed('Stripe Checkout.', {
      secret_key: secret({ description: 'Secret API key.' }),
      webhook_secret: secret({
        description: 'Signing secret of the webhook that Stripe calls at `<public_url>/webhooks/stripe`.',
      }),
      api_base: Type.Optional(
        url(['http', 'https'], {
          default: defaults.payments.stripe.api_base,
          description: "Where Stripe's API is; an origin, without a path.",
        }),
      ),
      invoices: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Stripe makes an invoice of each payment, of automatic top-ups too.',
        }),
      ),
      automatic_tax: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'Stripe adds tax to the amount, by where its customer is. It buys no credit. Automatic top-ups ' +
            'are charged by an invoice then.',
        }),
      ),
      tax_id_collection: Type.Optional(
        Type.Boolean({ default: false, description: 'Businesses may give their tax number at a checkout.' }),
      ),
    }),
  ),
  sandbox: Type.Optional(
    Type.Boolean({
      description:
        'A checkout page of the gateway, on which credit costs nothing: anybody who reaches it may take as ' +
        'much as they like. Default: only without `stripe`, while `host` and `public_url` are both loopback.',
    }),
  ),
  auto_topup: Type.Optional(
    Type.Boolean({
      description:
        'Accounts may save a payment method, to which the gateway charges credit by itself. Default: true.',
    }),
  ),
  receipt: Type.Optional(
    closed('Whom the receipts of top-ups are from. Absent: they name nobody.', {
      issuer: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the seller.' }),
      legal_text: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2_000,
          description: 'Address, register and tax numbers, line by line: what receipts must say.',
        }),
      ),
    }),
  ),
})
