import { expect, test } from 'vitest'
import type { Tier } from './limits.ts'
import { TierTable } from './tier-table.ts'

const tier = (name: string, lifetimeTopupPico: bigint | null, rest: Partial<Tier> = {}): Tier => ({
  name,
  lifetimeTopupPico,
  models: new Map(),
  ...rest,
})

const table = new TierTable([
  tier('gold', 1_000n, { requestsPerMinute: 300 }),
  tier('free', null, {
    requestsPerMinute: 100,
    inputTokensPerMinute: 5_000,
    models: new Map([['openai/small', { requestsPerMinute: 500, outputTokensPerMinute: 7 }]]),
  }),
  tier('silver', 100n, { requestsPerMinute: 200 }),
  tier('house', null),
])

test.each([
  ['free', 0n, 'free'],
  ['free', -5n, 'free'],
  ['free', 99n, 'free'],
  ['free', 100n, 'silver'],
  ['free', 1_000_000n, 'gold'],
  // The rule may raise a tier that an operator assigned, but never lowers it.
  ['silver', 0n, 'silver'],
  ['silver', 2_000n, 'gold'],
  ['gold', 0n, 'gold'],
  ['house', 0n, 'house'],
  ['house', 2_000n, 'house'],
  // The configuration has no such tier (any more).
  ['bronze', 0n, 'free'],
  ['bronze', 150n, 'silver'],
])(
  'an account that was assigned %s and has %s of top-ups is in %s',
  (assigned, lifetimeTopupPico, expected) => {
    expect(table.tierOf({ tier: assigned, lifetimeTopupPico })).toBe(expected)
  },
)

const free = { tier: 'free', lifetimeTopupPico: 0n }
const shown = (caller: typeof free, model?: Parameters<TierTable['limitsOf']>[1]) =>
  table.limitsOf(caller, model).limits.map(({ kind, perMinute, model: of }) => [kind, perMinute, of])

test('a model has the limits of its tier, which all models share', () => {
  const limits = [
    ['requests', 100, undefined],
    ['input-tokens', 5_000, undefined],
  ]
  expect(shown(free)).toEqual(limits)
  expect(shown(free, { id: 'openai/large' })).toEqual(limits)
  expect(table.limitsOf(free, { id: 'openai/large' })).toBe(table.limitsOf(free))
})

test('a model’s own limits take precedence: the tier’s for the model, then the model’s for all tiers', () => {
  const model = { id: 'openai/small', limits: { outputTokensPerMinute: 9, inputTokensPerMinute: 8 } }
  expect(shown(free, model)).toEqual([
    ['requests', 500, 'openai/small'],
    ['input-tokens', 8, 'openai/small'],
    ['output-tokens', 7, 'openai/small'],
  ])
  expect(shown({ ...free, tier: 'silver' }, model)).toEqual([
    ['requests', 200, undefined],
    ['input-tokens', 8, 'openai/small'],
    ['output-tokens', 9, 'openai/small'],
  ])
  expect(shown({ ...free, tier: 'house' })).toEqual([])
})

test('a model whose configured limits change gets the new ones', () => {
  const id = 'openai/other'
  expect(shown(free, { id, limits: { requestsPerMinute: 1 } })[0]).toEqual(['requests', 1, id])
  const limits = { requestsPerMinute: 2 }
  expect(shown(free, { id, limits })[0]).toEqual(['requests', 2, id])
  expect(table.limitsOf(free, { id, limits })).toBe(table.limitsOf(free, { id, limits }))
})

test('without tiers there are no limits', () => {
  expect(new TierTable([]).limitsOf({ tier: 'any', lifetimeTopupPico: 10n }).limits).toEqual([])
})
