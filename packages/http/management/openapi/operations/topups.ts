import type { Operation } from '../operation.ts'
import { exampleReceipt, exampleTopup, ids, listOf } from './examples.ts'

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
    request: { amount_usd: '25', key_id: ids.key },
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
