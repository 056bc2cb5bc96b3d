import { describe, expect, it } from 'vitest'
import type { AccountBooks, Entry, Row } from './books.ts'
import type { Admin } from '../world/admin.ts'
import { compareBalances } from './compare-balances.ts'
import { compareCredit } from './compare-credit.ts'
import { compareDebts } from './compare-debts.ts'
import { compareLimits } from './compare-limits.ts'
import { compareRefusals } from './compare-refusals.ts'
import { compareRequests } from './compare-requests.ts'
import { Differences } from './differences.ts'
import type { Movement } from '../world/movements.ts'
import type { Node } from '../fleet/node.ts'
import { randomOf } from '../chance.ts'
import { nextRequest } from '../clients/requests.ts'
import type { Sighting } from '../clients/sighting.ts'
import type { VendorCall } from '../fleet/vendor-calls.ts'
import {
  books,
  call,
  grant,
  granted,
  key,
  row,
  sighting,
  unlimited,
  usage,
  world,
} from '../testing/one-request.ts'
import { debtUsd, type WorldKey } from '../world/world.ts'

const node = { index: 0, killed: [], restarted: [], halted: [], crashes: [] } as unknown as Node

function requestsFound(seen: Partial<Sighting>, found: Partial<AccountBooks>, calls = [call]): string[] {
  const differences = new Differences()
  const vendor = { of: () => calls }
  const fleet = { nodes: [node], database: undefined }
  compareRequests([{ ...sighting, ...seen }], [{ ...books, ...found }], vendor, fleet, differences)
  return differences.first.map((one) => one.what)
}

describe('comparing requests with their books', () => {
  it('finds nothing if both agree', () => {
    expect(requestsFound({}, {})).toEqual([])
  })

  it.each<[string, Partial<Sighting>, Partial<AccountBooks>]>([
    ['charged twice', {}, { rows: [row, { ...row, id: 'req_b' }] }],
    ['not charged', {}, { rows: [], entries: [granted] }],
    ['charged another amount', {}, { rows: [{ ...row, cost_usd: '0.000046' }] }],
    ['charged other tokens', {}, { rows: [{ ...row, tokens_out: 3, cost_usd: '0.000055' }] }],
    ['charged without an entry', {}, { entries: [granted] }],
    [
      'charged though it failed',
      { ending: 'refused', status: 502 },
      { rows: [{ ...row, outcome: 'failed' }] },
    ],
    ['charged to another key', {}, { rows: [{ ...row, key_id: 'key_b' }] }],
    ['reported with another cost', { costUsd: '0.00004' }, {}],
    ['broken by a node that lived', { ending: 'broken' }, {}],
    ['truncated without an error', { ending: 'truncated' }, {}],
    ['answered with 500', { ending: 'refused', status: 500 }, {}],
    ['left, and charged more than was sent', { ending: 'left' }, { rows: [overcharged()] }],
  ])('finds a difference: %s', (_name, seen, found) => {
    expect(requestsFound(seen, found)).not.toEqual([])
  })
})

describe('a vendor that ignores its bound', () => {
  const ignored = { plan: { ...sighting.plan, kind: 'ignored-bound' as const, maxTokens: 5 } }
  const far: VendorCall = { ...call, bill: { ...call.bill!, completionTokens: 900 } }
  const rowOf = (tokensOut: number, costUsd: string): Partial<AccountBooks> => ({
    rows: [{ ...row, tokens_out: tokensOut, cost_usd: costUsd }],
    entries: [granted, { ...usage, amount_usd: costUsd }],
  })

  it('may be charged as far as its hold covers, and no further', () => {
    const sightingWithCost = { ...ignored, costUsd: '0.000075' }
    expect(requestsFound(sightingWithCost, rowOf(5, '0.000075'), [far])).toEqual([])
    expect(
      requestsFound({ ...sightingWithCost, costUsd: '0.000065' }, rowOf(4, '0.000065'), [far]),
    ).not.toEqual([])
    expect(requestsFound(sightingWithCost, rowOf(5, '0.000076'), [far])).not.toEqual([])
    expect(requestsFound({ costUsd: '0.000075' }, rowOf(5, '0.000075'), [far])).not.toEqual([])
  })

  it('is not charged for impossible usage', () => {
    const lies: VendorCall = { ...call, bill: { ...call.bill!, told: 9e15 } }
    const counted = { ...sighting.plan, prompt: 'one two' }
    const estimated = { ...row, tokens_in: 2, tokens_out: 2, cost_usd: '0.000025' }
    const books = { rows: [estimated], entries: [granted, { ...usage, amount_usd: '0.000025' }] }
    expect(requestsFound({ plan: counted, costUsd: '0.000025' }, books, [lies])).toEqual([])
    const believed = { ...estimated, tokens_out: 100_000, cost_usd: '1.000005' }
    const wrong = { rows: [believed], entries: [granted, { ...usage, amount_usd: believed.cost_usd }] }
    expect(requestsFound({ plan: counted, costUsd: believed.cost_usd }, wrong, [lies])).not.toEqual([])
  })
})

describe('the key of a row', () => {
  const rotated = { ...books.keys[0]!, id: 'key_b', name: 'first' }
  const other = { ...books.keys[0]!, id: 'key_c', name: 'second' }
  const found = (keyId: string, successor: WorldKey['successor']): string[] => {
    const charged = {
      rows: [{ ...row, key_id: keyId }],
      entries: [granted, { ...usage, debit_account: `key:${keyId}` }],
      keys: [...books.keys, rotated, other],
    }
    return requestsFound({ key: { ...key, successor } }, charged)
  }

  it('may be a successor, or one of the same name if no response reported the successor', () => {
    const successor = { ...key, id: 'key_b' }
    expect(found('key_b', successor)).toEqual([])
    expect(found('key_b', 'untold')).toEqual([])
    expect(found('key_b', { ...key, id: 'key_d', successor: 'untold' })).toEqual([])
  })

  it('is a difference if it is any other key', () => {
    expect(found('key_b', undefined)).toEqual([expect.stringContaining('key of its row')])
    expect(found('key_c', 'untold')).toEqual([expect.stringContaining('key of its row')])
  })
})

function overcharged(): Row {
  return { ...row, outcome: 'client_closed', tokens_out: 50, cost_usd: '0.000525' }
}

describe('comparing credit with its movements', () => {
  const found = (changes: Partial<AccountBooks>, movements: Movement[] = [grant]): string[] => {
    const differences = new Differences()
    compareCredit([{ ...books, ...changes }], movements, world, differences)
    return differences.first.map((one) => one.what)
  }

  it('finds nothing if both agree', () => {
    expect(found({})).toEqual([])
  })

  it('finds stuck credit, a movement posted twice or although refused, and a different summary', () => {
    expect(found({ keys: [{ ...books.keys[0]!, balance_usd: '0.9' }] })).not.toEqual([])
    expect(found({ entries: [granted, granted, usage] })).not.toEqual([])
    expect(found({}, [{ ...grant, status: 400, entry: undefined }])).not.toEqual([])
    expect(found({ summary: { total_requests: 2, total_cost_usd: '0.000045' } })).not.toEqual([])
    for (const changed of [{ requests: 2 }, { completed: 0 }, { tokens_in: 0 }])
      expect(found({ health: { ...books.health, ...changed } })).not.toEqual([])
    const errors = [{ type: 'upstream_error', requests: 1 }]
    expect(found({ health: { ...books.health, errors } })).not.toEqual([])
  })
})

describe('a key below zero', () => {
  const refund = { ...granted, kind: 'refund', debit_account: 'key:key_a', credit_account: 'refunds' }
  const rotation = {
    ...granted,
    kind: 'transfer',
    amount_usd: '0.4',
    debit_account: 'key:key_b',
    credit_account: 'key:key_a',
    reference: 'rotate:key_a',
  }
  const keys: AccountBooks['keys'] = [
    { id: 'key_a', name: 'first', status: 'revoked', balance_usd: '0', ...unlimited },
    { id: 'key_b', name: 'first', status: 'active', balance_usd: '-0.4', ...unlimited },
  ]

  async function found(entries: Entry[]): Promise<string[]> {
    const differences = new Differences()
    await compareBalances([{ ...books, keys, rows: [], entries }], [], {} as Admin, differences)
    return differences.first.map((one) => one.what)
  }

  it('is explained by a refund to the key that it was rotated from', async () => {
    expect(await found([granted, refund, rotation])).toEqual([])
  })

  it('is explained by a lease that its successor got before the charge that the lease was for', async () => {
    const late = { ...rotation, kind: 'sweep', reference: 'sweep:key_a:led_1', amount_usd: '0.3' }
    const [debit_account, credit_account] = [rotation.credit_account, rotation.debit_account]
    const moved = { ...rotation, debit_account, credit_account, amount_usd: '0.9' }
    const balanced = [{ ...keys[0]! }, { ...keys[1]!, balance_usd: '0.6' }]
    const differences = new Differences()
    const entries = [granted, moved, late]
    await compareBalances([{ ...books, keys: balanced, rows: [], entries }], [], {} as Admin, differences)
    expect(differences.first).toEqual([])
  })

  it('is a difference if nothing took that much', async () => {
    expect(await found([granted, rotation])).toEqual([expect.stringContaining('key_a (revoked)')])
    expect(await found([granted])).toEqual([expect.stringContaining('key_b (active)')])
  })
})

describe('a 402', () => {
  const refused = (needs: string): Sighting => ({
    ...sighting,
    ending: 'refused',
    status: 402,
    requestId: 'req_c',
    error: { type: 'insufficient_quota', message: `… which may cost up to ${needs} USD.` },
  })
  const found = (needs: string, changes: Partial<Movement> = {}): number => {
    const differences = new Differences()
    compareRefusals([refused(needs)], [books], [{ ...grant, ...changes }], differences)
    return differences.count
  }

  it('is false if the key certainly had enough', () => {
    expect(found('0.5')).toBe(1)
  })

  it('may be right if the key had too little, or its credit may have come later', () => {
    expect(found('1.5')).toBe(0)
    expect(found('0.5', { answeredAtMs: 10_050 })).toBe(0)
  })

  it('may be right if another key of the account owes what this one has', () => {
    const taken = { ...granted, kind: 'refund', amount_usd: '0.8', change_usd: '-0.8', reference: 'x:move-2' }
    const ofSibling = { ...taken, debit_account: 'key:key_b', credit_account: 'refunds' }
    const differences = new Differences()
    compareRefusals([refused('0.5')], [{ ...books, entries: [granted, ofSibling] }], [grant], differences)
    expect(differences.count).toBe(0)
  })
})

describe('a key that draws on another', () => {
  const drawing: WorldKey = { ...key, id: 'key_b', drawsOn: 'key_a' }
  const paid = { ...row, key_id: 'key_b', paid_by: 'key_a' }
  const refused: Sighting = {
    ...sighting,
    key: drawing,
    ending: 'refused',
    status: 402,
    error: { type: 'insufficient_quota', message: '… which may cost up to 0.5 USD.' },
  }
  const found = (movements: Movement[], changes: Partial<AccountBooks> = {}): number => {
    const differences = new Differences()
    compareRefusals([refused], [{ ...books, rows: [paid], ...changes }], movements, differences)
    return differences.count
  }

  it('has its requests charged to the other key', () => {
    expect(requestsFound({ key: drawing }, { rows: [paid] })).toEqual([])
    expect(requestsFound({ key: drawing }, { rows: [{ ...paid, paid_by: 'key_c' }] })).toEqual([
      'payer of req_a',
    ])
  })

  it('is refused falsely if the other key certainly had enough', () => {
    expect(found([grant])).toBe(1)
    expect(found([grant], { rows: [{ ...paid, cost_usd: '0.6' }] })).toBe(0)
  })

  it('may be refused if the key that it draws on may have changed', () => {
    const change = { ...grant, plan: { ...grant.plan, kind: 'draw' as const }, keyId: 'key_b' }
    expect(found([grant, change])).toBe(0)
    expect(found([grant, { ...change, keyId: 'key_c' }])).toBe(1)
    expect(found([grant, { ...change, sentAtMs: refused.endedAtMs + 1 }])).toBe(1)
    expect(found([grant, { ...grant, plan: { ...grant.plan, kind: 'revoke' }, keyId: 'key_a' }])).toBe(0)
  })

  it('has no credit of its own', () => {
    const keys = [{ ...books.keys[0]!, draws_on: 'key_b' }]
    const differences = new Differences()
    compareCredit([{ ...books, keys }], [grant], world, differences)
    expect(differences.first.map(({ what }) => what)).toContain(
      'credit of key_a, which is revoked or draws on another',
    )
  })
})

describe('the debt of an account', () => {
  const debt: Movement = { ...grant, plan: { ...grant.plan, kind: 'refund', amountUsd: debtUsd } }
  const admin = { ask: () => Promise.resolve({ hold_usd: '0.9' }) } as unknown as Admin
  const found = async (answeredAtMs: number, changes: Partial<AccountBooks> = {}): Promise<string[]> => {
    const differences = new Differences()
    const waits = { leaseSeconds: 2, longestHaltMs: 1_000 }
    const movements = [grant, { ...debt, answeredAtMs }]
    await compareDebts([sighting], [{ ...books, ...changes }], movements, waits, admin, differences)
    return differences.first.map((one) => one.what)
  }
  const keysWith = (balance_usd: string): AccountBooks['keys'] => [{ ...books.keys[0]!, balance_usd }]

  it('blocks spending some seconds after it arises', async () => {
    expect(await found(3_000)).toEqual([])
    expect(await found(1_000)).toEqual([expect.stringContaining('whose account is in debt')])
  })

  it('is what was taken plus what requests cost beyond their holds, and no more', async () => {
    expect(await found(9_000, { keys: keysWith(`-${debtUsd}`) })).toEqual([])
    const rows = [{ ...row, cost_usd: '1' }]
    expect(await found(9_000, { rows, keys: keysWith('-1000000.1') })).toEqual([])
    expect(await found(9_000, { rows, keys: keysWith('-1000000.2') })).toEqual(['credit of acct_a in all'])
    // Taken before the last request was served, so it was no longer in the account.
    expect(await found(1_000, { keys: keysWith('-1') })).toContain('credit of acct_a in all')
  })
})

describe('a seed', () => {
  it('produces the same requests again', () => {
    const plans = (seed: number): unknown[] => {
      const random = randomOf(seed, 'client 3')
      return Array.from({ length: 200 }, (_, number) => nextRequest(random, number, 18))
    }
    expect(plans(5)).toEqual(plans(5))
    expect(plans(5)).not.toEqual(plans(6))
  })
})

describe('a spend limit', () => {
  const admin = { ask: () => Promise.resolve({ hold_usd: '0.00004' }) } as unknown as Admin
  const limited = (limitUsd: string, spentUsd: string): AccountBooks => ({
    ...books,
    keys: [{ ...books.keys[0]!, spend_limit_usd: limitUsd, spent_usd: spentUsd }],
  })

  async function found(book: AccountBooks, ...seen: Sighting[]): Promise<number> {
    const differences = new Differences()
    await compareLimits([book], seen, admin, differences)
    return differences.count
  }

  it('holds, except for what a request cost beyond its hold', async () => {
    expect(await found(limited('0.000045', '0.000045'), sighting)).toBe(0)
    expect(await found(limited('0.00004', '0.000045'), sighting)).toBe(1)
    // It held one output token and reported no bound: 0.000005 beyond its hold.
    const small = { ...sighting, bodyBytes: 3, plan: { ...sighting.plan, maxTokens: 1 } }
    expect(await found(limited('0.00004', '0.000045'), small)).toBe(0)
    expect(await found(limited('0.000039', '0.000045'), small)).toBe(1)
  })

  it('counts what its key was charged', async () => {
    expect(await found(limited('1', '0.00004'))).toBe(1)
  })

  it('refuses no request that it has room for', async () => {
    const message =
      "The key's spend limit of 1 USD in total does not cover this request, which may cost up to 0.5 USD"
    const refused = { ...sighting, status: 402, error: { type: 'insufficient_quota', message } }
    expect(await found(limited('1', '0.4'), refused)).toBe(1)
    expect(await found(limited('1', '0.6'), refused)).toBe(0)
    expect(await found(books, refused)).toBe(1)
  })
})
