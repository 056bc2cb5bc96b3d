import { expect, test } from 'vitest'
import { apiFailure } from './answer.ts'

/** Messages for people may change, so only the metadata decide. */
test.each([
  [{ reason: 'credit' }, 'Add credit: turnpike topup --amount 10'],
  [{ reason: 'credit', key_id: 'key_1' }, 'Add credit: turnpike topup --amount 10 --key key_1'],
  [
    { reason: 'credit', key_id: 'key_1', richer_key_id: 'key_2' },
    'Use that credit: turnpike keys update <id> --draws-on key_2',
  ],
  [{ reason: 'key_limit', limit: {} }, 'Raise it: turnpike keys update <id> --spend-limit <usd>'],
  [{ reason: 'budget', budget: { id: 'bud_1' } }, 'Raise it: turnpike budgets update bud_1 --limit <usd>'],
  [undefined, 'Add credit: turnpike topup --amount 10'],
])('a 402 with %o says what helps', (metadata, hint) => {
  const message = 'The spend limit; key_9 of the account has enough. Top up key_8.'
  const failure = apiFailure({ type: 'insufficient_quota', message, metadata }, 402, null)
  expect(failure.details.hint).toBe(hint)
})
