import { operationsOf } from '../operation.ts'
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

export const keyOperations = operationsOf('Keys', {
  'POST /keys': {
    id: 'createKey',
    summary: 'Create a key',
    description:
      '`raw` is the key itself. It is only in this response and not stored: save it at once. A key can ' +
      'be limited in time (`expires_at`), to certain models (`allowed_models`), and in what it may ' +
      'spend: `spend_limit_usd` per `spend_limit_period` (a UTC day, an ISO week from Monday, a calendar ' +
      'month; by default in `total`). Over the limit, requests get 402 until the period ends. By default ' +
      'it uses the credit of the account’s default key (the oldest active one with its own credit), so ' +
      'it works while the account has credit. With `draws_on: null` it has its own, which a transfer or ' +
      'a top-up adds to. `unsupported_fields: drop` drops request fields that a vendor does not support, ' +
      'which are refused otherwise. `log_prompts` stores its prompts and answers, or not, overriding the ' +
      'account’s setting. An operator can only set it to false.',
    audited: true,
    errors: [403],
    request: { name: 'laptop', spend_limit_usd: '20', spend_limit_period: 'month' },
    answer: { ...newKey, ...monthly },
  },
  'GET /keys': {
    id: 'listKeys',
    summary: 'List keys',
    description: 'All keys, including revoked ones, oldest first, without `raw`.',
    polled: true,
    answer: listOf(exampleKey),
  },
  'GET /keys/:key_id': {
    id: 'getKey',
    summary: 'One key',
    description: 'A key, without `raw`.',
    polled: true,
    answer: exampleKey,
  },
  'PATCH /keys/:key_id': {
    id: 'updateKey',
    summary: 'Rename or limit a key',
    description:
      'Changes the given fields. Null removes a limit. `spend_limit_usd` alone ' +
      'keeps the period, `spend_limit_period` alone keeps the amount. Past spending counts: a limit ' +
      'below it refuses all requests until the period ends. Requests in progress continue. With `draws_on` ' +
      'the key’s own credit moves to the key that it draws on. With null it keeps what its running ' +
      'requests hold.',
    audited: true,
    errors: [403],
    request: { name: 'desktop', allowed_models: null },
    answer: { ...exampleKey, name: 'desktop', allowed_models: null },
  },
  'DELETE /keys/:key_id': {
    id: 'revokeKey',
    summary: 'Revoke a key',
    description:
      'The key is refused from now on, on every node within a second. Its remaining credit moves to the ' +
      'account’s default key, or stays unassigned. Keys that drew on it draw on that one. Repeating it ' +
      'returns the same response.',
    audited: true,
    answer: { ...exampleKey, status: 'revoked', balance_usd: '0', revoked_at: 1741053600 },
  },
  'POST /keys/:key_id/rotate': {
    id: 'rotateKey',
    summary: 'Rotate a key',
    description:
      'Creates a new key with the name, limits and credit of this one, whose secret keeps working ' +
      'for `grace_seconds` ' +
      'and is then refused. Keys that drew on this one draw on the new one. Past spending counts ' +
      'towards the new one’s `spend_limit_usd`. ' +
      'The response is that of a creation: `raw` is shown once.',
    audited: true,
    request: { grace_seconds: 3600 },
    bodyOptional: true,
    answer: { ...newKey, id: ids.otherKey, balance_usd: '24.9987', draws_on: null },
  },
  'POST /keys/:key_id/transfer': {
    id: 'transferCredit',
    summary: 'Move credit to another key',
    description:
      'Moves credit between two active keys of one account, except what running requests hold. A key that ' +
      'drew on another then only uses its own credit.',
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
})
