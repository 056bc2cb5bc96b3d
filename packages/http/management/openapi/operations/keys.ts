import type { Operation } from '../operation.ts'
import { exampleKey, exampleLedgerEntry, ids, listOf } from './examples.ts'

const raw = 'sk-turnpike-4fZkQ8mW2xN7bV3cR9tY6uH1jL5pD0sA3kG7w2'

const newKey = {
  ...exampleKey,
  balance_usd: '0',
  last_used_at: null,
  allowed_models: null,
  draws_on: ids.otherKey,
  raw,
}

const monthly = {
  spend_limit_usd: '20',
  spend_limit_period: 'month',
  spent_usd: '0',
  spend_limit_resets_at: 1743465600,
}

export const keyOperations: Record<string, Operation> = {
  'POST /keys': {
    id: 'createKey',
    tag: 'Keys',
    summary: 'Create a key',
    description:
      '`raw` is the key itself. It is in this answer and in no other, and stored nowhere: save it at once. ' +
      'A key can be limited in time (`expires_at`), to some models (`allowed_models`), and in what it may ' +
      'spend: `spend_limit_usd` in each `spend_limit_period` (a UTC day, an ISO week from Monday, a ' +
      'calendar month; without one, in `total`). Beyond it, requests get 402 until the period ends. ' +
      'Without `draws_on` it uses the credit of the account’s default key (the oldest active one that has ' +
      'its own), so that it works while the account has credit; with null it has its own, which a ' +
      'transfer or a top-up puts on it. ' +
      '`unsupported_fields: drop` leaves out what a vendor cannot honour of its requests, which is ' +
      'refused otherwise. `log_prompts` has its prompts and answers kept, or not, whatever the account ' +
      'says; an operator may say false alone.',
    audited: true,
    request: { name: 'laptop', spend_limit_usd: '20', spend_limit_period: 'month' },
    answer: { ...newKey, ...monthly },
  },
  'GET /keys': {
    id: 'listKeys',
    tag: 'Keys',
    summary: 'List keys',
    description: 'All keys, revoked ones too, oldest first. None of them with `raw`.',
    polled: true,
    answer: listOf(exampleKey),
  },
  'GET /keys/:key_id': {
    id: 'getKey',
    tag: 'Keys',
    summary: 'One key',
    description: 'The record of a key, without `raw`.',
    polled: true,
    answer: exampleKey,
  },
  'PATCH /keys/:key_id': {
    id: 'updateKey',
    tag: 'Keys',
    summary: 'Rename or limit a key',
    description:
      'Changes the fields that are named and no others; null takes a limit away. `spend_limit_usd` alone ' +
      'leaves the period as it is, `spend_limit_period` alone the amount. What was spent counts: a limit ' +
      'below it refuses whatever comes until the period ends. Requests under way go on. With `draws_on` ' +
      'the key’s own credit moves to the key on which it draws; with null it keeps what its running ' +
      'requests hold.',
    audited: true,
    request: { name: 'desktop', allowed_models: null },
    answer: { ...exampleKey, name: 'desktop', allowed_models: null },
  },
  'DELETE /keys/:key_id': {
    id: 'revokeKey',
    tag: 'Keys',
    summary: 'Revoke a key',
    description:
      'From now on the key is refused, on every node within a second. What is left of its credit moves ' +
      'to the account’s default key, or waits unassigned; keys that drew on it draw on that one. Again: ' +
      'the same answer.',
    audited: true,
    answer: { ...exampleKey, status: 'revoked', balance_usd: '0', revoked_at: 1741053600 },
  },
  'POST /keys/:key_id/rotate': {
    id: 'rotateKey',
    tag: 'Keys',
    summary: 'Rotate a key',
    description:
      'A new key with the name, limits and credit of this one, whose secret goes on for `grace_seconds` ' +
      'and is then refused. Keys that drew on this one draw on the new one. What this one has spent counts ' +
      'towards the new one’s `spend_limit_usd`. ' +
      'The answer is that of a creation: `raw` is shown once.',
    audited: true,
    request: { grace_seconds: 3600 },
    bodyOptional: true,
    answer: { ...newKey, id: ids.otherKey, balance_usd: '24.9987', draws_on: null },
  },
  'POST /keys/:key_id/transfer': {
    id: 'transferCredit',
    tag: 'Keys',
    summary: 'Move credit to another key',
    description:
      'Moves credit between two active keys of one account. What running requests hold stays. A key that ' +
      'drew on another uses what it is given, and no more of the other’s.',
    audited: true,
    errors: [402],
    request: { to_key_id: ids.otherKey, amount_usd: '5' },
    answer: {
      ...exampleLedgerEntry,
      kind: 'transfer',
      amount_usd: '5',
      change_usd: '0',
      debit_account: `key:${ids.key}`,
      credit_account: `key:${ids.otherKey}`,
      reference: `transfer:${ids.key}:move-1`,
      reason: null,
    },
  },
}
