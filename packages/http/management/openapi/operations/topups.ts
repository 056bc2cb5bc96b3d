import { operationsOf } from '../operation.ts'
import {
  exampleAutoTopup,
  examplePaymentMethod,
  exampleReceipt,
  exampleTopup,
  ids,
  listOf,
} from './examples.ts'

export const topupOperations = operationsOf('Top-up', {
  'POST /topup': {
    id: 'openTopup',
    summary: 'Buy credit',
    description:
      'Opens a checkout session, where a person pays at `checkout_url`. The payment is credited once, to ' +
      'the named key, otherwise to the account’s default key. An agent never pays: it gives the URL ' +
      'to its user.',
    audited: true,
    errors: [502],
    request: { amount_usd: '25', key_id: ids.key, save_payment_method: true },
    answer: exampleTopup,
  },
  'GET /topup/:session_id': {
    id: 'getTopup',
    summary: 'One top-up',
    description:
      'The state of a checkout session. Poll it until it is no longer `open`. While it is open, the ' +
      'payment processor is queried, at most every three seconds.',
    polled: true,
    answer: exampleTopup,
  },
  'GET /topup/:session_id/receipt': {
    id: 'getReceipt',
    summary: 'The receipt of a top-up',
    description:
      'For accounting: what was paid, when and how, the credit granted, and what was refunded ' +
      'since. Name, email and billing address are those at the time of payment and do not ' +
      'change. 404 until it is paid. It is a payment receipt, not a tax invoice.',
    answer: exampleReceipt,
  },
  'GET /topups': {
    id: 'listTopups',
    summary: 'List top-ups',
    description: 'The account’s checkout sessions, newest first.',
    polled: true,
    answer: listOf(exampleTopup),
  },
  'GET /auto-topup': {
    id: 'getAutoTopup',
    summary: 'Automatic top-up',
    description: 'The settings of automatic top-up and the result of the last attempt.',
    polled: true,
    answer: exampleAutoTopup,
  },
  'PUT /auto-topup': {
    id: 'setAutoTopup',
    summary: 'Set automatic top-up',
    description:
      'When the balance is below `threshold_usd`, the payment method is charged `amount_usd`, but ' +
      'never more than ' +
      '`monthly_cap_usd` per month (UTC), one attempt at a time. Payment methods are saved at a ' +
      'checkout (`POST /topup`, `save_payment_method`). If it has stopped, this resumes it.',
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
    summary: 'Turn automatic top-up off',
    description: 'Nothing more is charged, except for an attempt in progress.',
    audited: true,
    answer: { ...exampleAutoTopup, enabled: false },
  },
  'GET /payment-methods': {
    id: 'listPaymentMethods',
    summary: 'List payment methods',
    description: 'Payment methods saved at checkouts, newest first.',
    answer: listOf(examplePaymentMethod),
  },
  'DELETE /payment-methods/:payment_method_id': {
    id: 'removePaymentMethod',
    summary: 'Remove a payment method',
    description: 'It is also removed at the payment processor. Automatic top-ups that use it are turned off.',
    audited: true,
    errors: [502],
    answer: examplePaymentMethod,
  },
  'GET /public/topup-links/:token': {
    id: 'getTopupLink',
    summary: 'State of a payment link',
    description:
      'For a program that got a 402: its `error.metadata.poll_url`. Anyone with the URL may call it; it ' +
      'does not reveal the balance. `balance_covers`: retry the refused request.',
    errors: [429],
    answer: { object: 'topup_link', status: 'open', paid: false, balance_covers: false },
  },
  'POST /webhooks/stripe': {
    id: 'receiveStripeEvent',
    tag: 'Service',
    summary: 'Stripe’s webhook',
    description:
      'Only for Stripe. Events must be signed (`Stripe-Signature`) and recent, otherwise 400. ' +
      'Events may arrive repeatedly and in any order.',
    errors: [400, 413],
  },
})
