import { compilePricing, rateBoth } from '@turnpike/billing'
import type { SealedVendorKey } from '@turnpike/identity'
import type { Provider } from '@turnpike/vendors'
import { describe, expect, it } from 'vitest'
import { testBook, testModel, testProvider } from '../testing/candidates.ts'
import type { CandidateBook } from './candidate-book.ts'
import { CandidateOrder } from './candidate-order.ts'
import type { Candidate } from './candidate.ts'
import { HealthBook } from './health/health-book.ts'
import { OwnKeys } from './own-keys.ts'

const provider = (name: string, more: Partial<Provider> = {}): Provider =>
  testProvider(name, {
    apiKeys: [`shared-${name}`],
    headers: { 'openai-organization': 'org-of-operator', 'x-title': 'Gateway' },
    allowUnpriced: new Set(),
    allowedReferences: [],
    ...more,
  })
const providers = [provider('a'), provider('b'), provider('c'), provider('own', { ownKeysOnly: true })]
const both = testModel('a/m', ['a', 'b'])
const prices = new Map([['a/m', compilePricing({ prompt: '0.000001', completion: '0.000002' }, '1.5')]])

const vendorKey = (id: string, of: string, more: Partial<SealedVendorKey> = {}): SealedVendorKey => ({
  id,
  accountId: 'acct_1',
  provider: of,
  name: id,
  last4: 'last',
  allowsShared: true,
  keyName: 'ring',
  sealed: Buffer.from(`secret-${id}`),
  version: 1,
  ...more,
})

function bookWith(fee = '0.05'): { book: CandidateBook; ownKeys: OwnKeys } {
  const ownKeys = new OwnKeys({
    fee,
    providers: new Set(['a', 'b', 'own']),
    open: ({ keyName, sealed }) => (keyName === 'ring' ? Buffer.from(sealed).toString() : undefined),
  })
  const health = new HealthBook({ failures: 1, restMs: 1_000, longestRestMs: 1_000, probes: 1 } as never)
  return {
    ownKeys,
    book: testBook(providers, { prices, markup: '1.5', health, ownKeys }),
  }
}

const keysOf = (candidates: readonly Candidate[]): (string | undefined)[] =>
  candidates.map(({ credential }) => credential.secrets()[0])

describe('an account with keys of its own', () => {
  it('tries them first, upstream by upstream, then the operator’s', () => {
    const { book } = bookWith()
    const keys = { keys: [vendorKey('two', 'b'), vendorKey('one', 'a'), vendorKey('three', 'a')] }
    const found = book.includingOwn(both, keys)
    expect(keysOf(found.candidates)).toEqual([
      'secret-one',
      'secret-three',
      'secret-two',
      'shared-a',
      'shared-b',
    ])
    expect(book.includingOwn(both, keys)).toBe(found)
    expect(book.includingOwn(both, null).candidates).toBe(book.of(both))
    expect(book.includingOwn(both, { keys: [] }).candidates).toBe(book.of(both))
    // Whatever order the operator chose for the shared keys.
    for (const order of ['price', 'latency', 'listed'] as const)
      for (let turn = 0; turn < 3; turn++)
        expect(keysOf(new CandidateOrder(order).of(found.candidates, true)).slice(0, 3)).toEqual([
          'secret-one',
          'secret-three',
          'secret-two',
        ])
  })

  it('does not use the operator’s keys if one of its own forbids it, or cannot be opened', () => {
    const { book } = bookWith()
    const strict = book.includingOwn(both, {
      keys: [vendorKey('one', 'a', { allowsShared: false }), vendorKey('two', 'b')],
    })
    expect([keysOf(strict.candidates), strict.forbidsShared]).toEqual([['secret-one', 'secret-two'], true])
    const lost = vendorKey('lost', 'a', { keyName: 'gone' })
    expect(book.includingOwn(both, { keys: [lost] })).toEqual({
      candidates: [],
      forbidsShared: true,
      unopened: lost,
    })
    // A key of another model's provider, or of one that takes no own keys, is ignored.
    for (const other of [vendorKey('x', 'c', { allowsShared: false }), vendorKey('y', 'nobody')])
      expect(keysOf(book.includingOwn(both, { keys: [other] }).candidates)).toEqual(['shared-a', 'shared-b'])
  })

  it('pays the vendor itself, and the operator only the fee', () => {
    const usage = { inputTokens: 1_000, outputTokens: 500 }
    const [own] = bookWith().book.includingOwn(both, { keys: [vendorKey('one', 'a')] }).candidates
    expect(rateBoth(usage, own!.prices)).toEqual({
      chargePico: 100_000_000n,
      vendorCostPico: 0n,
      ownCostPico: 2_000_000_000n,
    })
    const free = bookWith('0').book
    const unpriced = testModel('a/unpriced', ['a'])
    expect(free.includingOwn(unpriced, { keys: [vendorKey('one', 'a')] }).candidates).toHaveLength(1)
    const { prices: none } = free.includingOwn(unpriced, { keys: [vendorKey('one', 'a')] }).candidates[0]!
    expect(rateBoth(usage, none)).toEqual({ chargePico: 0n, vendorCostPico: 0n, ownCostPico: null })
    // With a fee, the charge would be unknown.
    expect(bookWith().book.includingOwn(unpriced, { keys: [vendorKey('one', 'a')] }).candidates).toEqual([])
  })

  it('has a health apart from the operator’s and other accounts’ keys', () => {
    const { book } = bookWith()
    const [mine] = book.includingOwn(both, { keys: [vendorKey('one', 'a')] }).candidates
    const [others] = book.includingOwn(both, {
      keys: [vendorKey('other', 'a', { accountId: 'acct_2' })],
    }).candidates
    const replaced = book.includingOwn(both, { keys: [vendorKey('one', 'a', { version: 2 })] }).candidates[0]
    const healths = [mine!, others!, replaced!, book.of(both)[0]!].map(({ health }) => health)
    expect(new Set(healths).size).toBe(4)
    expect(new Set(healths.map(({ ofKey }) => ofKey)).size).toBe(4)
  })

  it('calls without headers that identify the operator to the vendor', () => {
    const { book, ownKeys } = bookWith()
    const [mine] = book.includingOwn(both, { keys: [vendorKey('one', 'a')] }).candidates
    expect(mine!.provider).toMatchObject({
      apiKeys: [],
      headers: { 'x-title': 'Gateway' },
      isCallersAccount: true,
    })
    expect(mine!.provider.headers).not.toHaveProperty('openai-organization')
    expect(ownKeys.provider(providers[0]!)).toBe(mine!.provider)
  })

  it('gets only its own candidates if the provider accepts only own keys', () => {
    const { book } = bookWith('0')
    const alone = testModel('own/m', ['own'])
    expect(book.of(alone)).toEqual([])
    expect(book.wantsOwnKey(alone)).toBe(true)
    expect(keysOf(book.includingOwn(alone, { keys: [vendorKey('one', 'own')] }).candidates)).toEqual([
      'secret-one',
    ])
  })
})

it('records the last use and rejection of each secret', () => {
  const { ownKeys } = bookWith()
  const key = { id: 'vky_1', accountId: 'acct_1', name: 'n', last4: 'last', version: 1 }
  ownKeys.noteUse(key)
  ownKeys.noteRefusal(key)
  ownKeys.noteUse({ ...key, version: 2 })
  expect(ownKeys.takeSeen()).toEqual([
    { id: 'vky_1', version: 1, usedAtMs: expect.any(Number), refusedAtMs: expect.any(Number) },
    { id: 'vky_1', version: 2, usedAtMs: expect.any(Number), refusedAtMs: null },
  ])
  expect(ownKeys.takeSeen()).toEqual([])
})
