import type { Operation } from '../operation.ts'
import {
  exampleAutoTopup,
  examplePaymentMethod,
  exampleReceipt,
  exampleTopup,
  ids,
  listOf,
} from './examples.ts'

export const topupOperations: Record<string, Operation> = {
  'POST /topup': {
    id: 'openTopup',
    tag: 'Top-up',
    summary: 'Buy credit',
    description:
      'Opens a checkout session: a person pays at `checkout_url`. What was paid is credited once, to ' +
      'the named key, else to the account’s default key. An agent never pays: it hands its human the URL.',
    audited: true,
    errors: [502],
    request: { amount_usd: '25', key_id: ids.key, save_payment_method: true },
    answer: exampleTopup,
  },
  'GET /topup/:session_id': {
    id: 'getTopup',
    tag: 'Top-up',
    summary: 'One top-up',
    description:
      'What became of a checkout session: poll it until it is no longer `open`. While it is, the payment ' +
      'processor is asked, at most every three seconds.',
    polled: true,
    answer: exampleTopup,
  },
  'GET /topup/:session_id/receipt': {
    id: 'getReceipt',
    tag: 'Top-up',
    summary: 'The receipt of a top-up',
    description:
      'For whoever keeps the books: what was paid, when and how, the credit granted for it, and what went ' +
      'back since. It is made out to whom it was when it was paid: name, email and billing address do not ' +
      'change afterwards. 404 until it is paid. It is a receipt of a payment, no tax invoice.',
    answer: exampleReceipt,
  },
  'GET /topups': {
    id: 'listTopups',
    tag: 'Top-up',
    summary: 'List top-ups',
    description: 'The account’s checkout sessions, newest first.',
    polled: true,
    answer: listOf(exampleTopup),
  },
  'GET /auto-topup': {
    id: 'getAutoTopup',
    tag: 'Top-up',
    summary: 'Automatic top-up',
    description:
      'When the account buys credit by itself, what it is charged to, and how the last attempt went.',
    polled: true,
    answer: exampleAutoTopup,
  },
  'PUT /auto-topup': {
    id: 'setAutoTopup',
    tag: 'Top-up',
    summary: 'Set automatic top-up',
    description:
      'Below `threshold_usd` the payment method is charged `amount_usd`, and never more than ' +
      '`monthly_cap_usd` in a month (UTC). There is one attempt at a time. A payment method is saved at a ' +
      'checkout (`POST /topup`, `save_payment_method`). Where it has stopped, it goes on.',
    audited: true,
    request: {
      threshold_usd: '10',
      amount_usd: '50',
      monthly_cap_usd: '200',
      payment_method_id: ids.paymentMethod,
    },
    answer: exampleAutoTopup,
  },
  'DELETE /auto-topup': {
    id: 'removeAutoTopup',
    tag: 'Top-up',
    summary: 'Turn automatic top-up off',
    description: 'Nothing is charged any more, but for an attempt that is under way.',
    audited: true,
    answer: { ...exampleAutoTopup, enabled: false },
  },
  'GET /payment-methods': {
    id: 'listPaymentMethods',
    tag: 'Top-up',
    summary: 'List payment methods',
    description: 'What was saved at checkouts, the newest first.',
    answer: listOf(examplePaymentMethod),
  },
  'DELETE /payment-methods/:payment_method_id': {
    id: 'removePaymentMethod',
    tag: 'Top-up',
    summary: 'Remove a payment method',
    description:
      'It is let go at the payment processor too. Automatic top-ups that were charged to it are turned off.',
    audited: true,
    errors: [502],
    answer: examplePaymentMethod,
  },
  'GET /public/topup-links/:token': {
    id: 'getTopupLink',
    tag: 'Top-up',
    summary: 'What became of a checkout link',
    description:
      'For a program that got a 402: its `error.metadata.poll_url`. Whoever has the address may ask; it ' +
      'tells no balance. `balance_covers`: send the refused request again.',
    errors: [429],
    answer: { object: 'topup_link', status: 'open', paid: false, balance_covers: false },
  },
  'POST /webhooks/stripe': {
    id: 'receiveStripeEvent',
    tag: 'Service',
    summary: 'Stripe’s webhook',
    description:
      'For Stripe alone: each event is signed (`Stripe-Signature`); one that is not, or too old, is 400. ' +
      'The same event may come any number of times, and in any order.',
    errors: [400, 413],
  },
}
