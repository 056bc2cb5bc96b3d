import type { AccountBooks, Entry, Row } from '../comparison/books.ts'
import { randomOf } from '../chance.ts'
import type { Movement } from '../world/movements.ts'
import { nextRequest } from '../clients/requests.ts'
import type { Sighting } from '../clients/sighting.ts'
import type { VendorCall } from '../fleet/vendor-calls.ts'
import type { World, WorldKey } from '../world/world.ts'

/* One request of a key that was granted 1 USD, as its client, the vendor and the books saw it. */

export const unlimited = {
  draws_on: null,
  replaced_by: null,
  member_id: null,
  spend_limit_usd: null,
  spent_usd: null,
}
export const account = { index: 2, id: 'acct_a', wealth: 'tight' } as const
export const key: WorldKey = {
  id: 'key_a',
  name: 'first',
  raw: 'sk-turnpike-a',
  memberId: null,
  drawsOn: null,
  account,
  endingSinceMs: undefined,
  endedAtMs: undefined,
  successor: undefined,
}
const never = (): never => {
  throw new Error('nobody is asked')
}
export const world: World = {
  accounts: [account],
  slots: [{ account, key, shares: false }],
  keys: [key],
  organization: { account, memberIds: [], projectIds: [], moves: [], as: never, ask: never },
}

export const sighting: Sighting = {
  plan: {
    ...nextRequest(randomOf(1, 'test'), 7, 1),
    model: 'vendor/echo',
    leaves: undefined,
    bad: undefined,
  },
  key,
  node: 0,
  bodyBytes: 300,
  sentAtMs: 10_000,
  endedAtMs: 10_100,
  ending: 'delivered',
  requestId: 'req_a',
  status: 200,
  text: 'one two',
  costUsd: '0.000045',
  error: undefined,
}

/** 10 × 0.0000025 + 2 × 0.00001 USD. */
export const call: VendorCall = {
  status: 200,
  bill: { promptTokens: 10, cachedTokens: 0, completionTokens: 2, reported: true },
  textSent: 'one two',
  ending: 'ended',
}

export const row: Row = {
  id: 'req_a',
  account_id: 'acct_a',
  key_id: 'key_a',
  paid_by: null,
  created_at: 10,
  model_served: 'vendor/echo',
  tags: ['n:7'],
  outcome: 'completed',
  status: 200,
  tokens_in: 10,
  tokens_out: 2,
  cost_usd: '0.000045',
  error_type: null,
}

export const usage: Entry = {
  id: 'led_b',
  kind: 'usage',
  amount_usd: '0.000045',
  change_usd: '-0.000045',
  debit_account: 'key:key_a',
  credit_account: 'revenue',
  reference: 'usage:req_a',
  request_id: 'req_a',
}

export const granted: Entry = {
  ...usage,
  id: 'led_a',
  kind: 'grant',
  amount_usd: '1',
  change_usd: '1',
  debit_account: 'grants',
  credit_account: 'key:key_a',
  reference: 'credit:acct_a:move-1',
  request_id: null,
}

export const grant: Movement = {
  plan: {
    id: 'move-1',
    kind: 'grant',
    slot: 0,
    otherSlot: 1,
    amountUsd: '1',
    namesKey: true,
    negative: false,
    hasOwn: false,
    graceSeconds: 0,
  },
  account,
  keyId: 'key_a',
  toKeyId: undefined,
  sentAtMs: 1_000,
  answeredAtMs: 1_100,
  status: 201,
  attempts: 1,
  entry: granted,
}

export const books: AccountBooks = {
  accountId: 'acct_a',
  unassignedUsd: '0',
  keys: [{ id: 'key_a', name: 'first', status: 'active', balance_usd: '0.999955', ...unlimited }],
  rows: [row],
  entries: [granted, usage],
  summary: { total_requests: 1, total_cost_usd: '0.000045' },
  health: { requests: 1, completed: 1, tokens_in: row.tokens_in, errors: [] },
}
