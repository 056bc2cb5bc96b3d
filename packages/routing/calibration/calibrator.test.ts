import { describe, expect, it } from 'vitest'
import { cheapestTierWithin, profileDeltas, type TierProbabilities } from '../scoring/profiles.ts'
import { tiers, type Tier } from '../tier.ts'
import { seededRandom } from '../../../tools/routing/training/random.ts'
import { Calibrator } from './calibrator.ts'
import { applyCorrection, toCorrection } from './correction.ts'

const delta = profileDeltas.auto
const seeds = Array.from({ length: 30 }, (_, index) => index + 1)

/** An account with prompts of one kind, and how often each tier suffices for them. */
function world(random: () => number): { predicted: TierProbabilities; sufficing: TierProbabilities } {
  const rising = (): TierProbabilities => {
    const shares = tiers.map(() => 0.05 + 0.94 * random()).toSorted((a, b) => a - b)
    return Object.fromEntries(tiers.map((tier, index) => [tier, shares[index]!])) as Record<Tier, number>
  }
  return { predicted: toCorrection(rising()), sufficing: rising() }
}

describe('an account’s correction', () => {
  it('is zero before thirty outcomes of a tier', () => {
    const calibrator = new Calibrator()
    for (let count = 0; count < 29; count++) calibrator.note('a', 'SIMPLE', 0.9, false)
    expect(calibrator.correctionOf('a')).toEqual([0, 0, 0, 0])
    calibrator.note('a', 'SIMPLE', 0.9, false)
    expect(calibrator.correctionOf('a')).toEqual([-1, 0, 0, 0])
  })

  it('is zero if the outcomes are as predicted', () => {
    const calibrator = new Calibrator()
    calibrator.noteReport('a')
    for (let count = 0; count < 1_000; count++) calibrator.note('a', 'MEDIUM', 0.8, count % 5 > 0)
    expect(calibrator.correctionOf('a')).toEqual([0, 0, 0, 0])
  })

  it('never favours a tier if the account sends nothing back', () => {
    const calibrator = new Calibrator()
    for (let count = 0; count < 1_000; count++) calibrator.note('a', 'SIMPLE', 0.5, true)
    expect(calibrator.correctionOf('a')).toEqual([0, 0, 0, 0])
    calibrator.noteReport('a')
    calibrator.note('a', 'SIMPLE', 0.5, true)
    expect(calibrator.correctionOf('a')).toEqual([1, 0, 0, 0])
  })

  it('follows an account whose prompts change', () => {
    const calibrator = new Calibrator()
    calibrator.noteReport('a')
    for (let count = 0; count < 2_000; count++) calibrator.note('a', 'SIMPLE', 0.7, true)
    expect(calibrator.correctionOf('a')[0]).toBe(1)
    for (let count = 0; count < 400; count++) calibrator.note('a', 'SIMPLE', 0.7, false)
    expect(calibrator.correctionOf('a')[0]).toBeLessThan(-0.7)
  })
})

describe('with a steady stream of outcomes', () => {
  it.each(seeds)('the tier settles, and does not alternate (seed %i)', (seed) => {
    const random = seededRandom(seed)
    const { predicted, sufficing } = world(random)
    const calibrator = new Calibrator()
    calibrator.noteReport('a')
    const chosen: Tier[] = []
    for (let request = 0; request < 12_000; request++) {
      const tier = cheapestTierWithin(applyCorrection(predicted, calibrator.correctionOf('a')), delta)
      if (tier !== chosen.at(-1)) chosen.push(tier)
      calibrator.note('a', tier, predicted[tier], random() < sufficing[tier])
    }
    // Each tier is tried, and then either abandoned for good or kept.
    expect(chosen.length).toBeLessThanOrEqual(tiers.length + 1)
    expect(calibrator.correctionOf('a').every((shift) => Math.abs(shift) <= 1)).toBe(true)
  })

  it.each(seeds)(
    'an abandoned tier is not chosen again while success rates are constant (seed %i)',
    (seed) => {
      const random = seededRandom(seed)
      const { predicted } = world(random)
      const everyOf = tiers.map(() => 2 + Math.floor(random() * 19))
      const counts = tiers.map(() => 0)
      const calibrator = new Calibrator()
      calibrator.noteReport('a')
      const chosen: Tier[] = []
      for (let request = 0; request < 12_000; request++) {
        const tier = cheapestTierWithin(applyCorrection(predicted, calibrator.correctionOf('a')), delta)
        if (tier !== chosen.at(-1)) chosen.push(tier)
        const index = tiers.indexOf(tier)
        // Each tier fails at regular intervals, from its first answer on.
        calibrator.note('a', tier, predicted[tier], counts[index]!++ % everyOf[index]! > 0)
      }
      expect(chosen.length).toBeLessThanOrEqual(tiers.length)
    },
  )

  it.each(seeds)('each correction is close to the truth, or at its bound (seed %i)', (seed) => {
    const random = seededRandom(seed)
    const predicted = 0.05 + 0.9 * random()
    const share = 0.05 + 0.9 * random()
    const calibrator = new Calibrator()
    calibrator.noteReport('a')
    let moves = 0
    let before = calibrator.correctionOf('a')
    for (let count = 0; count < 10_000; count++) {
      calibrator.note('a', 'COMPLEX', predicted, random() < share)
      const now = calibrator.correctionOf('a')
      if (count >= 2_000 && now !== before) moves++
      before = now
    }
    const exact = Math.log(share / (1 - share)) - Math.log(predicted / (1 - predicted))
    const bounded = Math.max(-1, Math.min(1, exact))
    // The dead band, and the uncertainty of two hundred outcomes.
    expect(Math.abs(before[2]! - bounded)).toBeLessThanOrEqual(0.9)
    expect(moves).toBeLessThanOrEqual(2)
  })
})

it('an account’s correction does not depend on other accounts', () => {
  const random = seededRandom(7)
  const outcomes = Array.from({ length: 5_000 }, () => ({
    account: `account ${Math.floor(random() * 20)}`,
    tier: tiers[Math.floor(random() * tiers.length)]!,
    sufficed: random() < 0.6,
  }))
  const together = new Calibrator()
  for (const { account, tier, sufficed } of outcomes) together.note(account, tier, 0.9, sufficed)
  for (const name of new Set(outcomes.map(({ account }) => account))) {
    const alone = new Calibrator()
    for (const { account, tier, sufficed } of outcomes)
      if (account === name) alone.note(account, tier, 0.9, sufficed)
    expect(together.correctionOf(name)).toEqual(alone.correctionOf(name))
  }
})

it('the least recently used account is forgotten', () => {
  const calibrator = new Calibrator(2)
  const fail = (account: string): void => {
    for (let count = 0; count < 30; count++) calibrator.note(account, 'SIMPLE', 0.9, false)
  }
  for (const account of ['a', 'b', 'a', 'c']) fail(account)
  expect(['a', 'b', 'c'].map((account) => calibrator.correctionOf(account)[0])).toEqual([-1, 0, -1])
})

describe('corrected probabilities', () => {
  const predicted = { SIMPLE: 0.5, MEDIUM: 0.6, COMPLEX: 0.7, REASONING: 0.9 }

  it('are unchanged without a correction', () => {
    expect(applyCorrection(predicted, [0, 0, 0, 0])).toEqual(predicted)
  })

  it('never fall from a tier to the next', () => {
    expect(applyCorrection(predicted, [1, -1, 0, 0])).toEqual({
      SIMPLE: 0.7311,
      MEDIUM: 0.7311,
      COMPLEX: 0.7311,
      REASONING: 0.9,
    })
  })

  it('stay within their bounds for certain outcomes', () => {
    const certain = { SIMPLE: 0, MEDIUM: 0, COMPLEX: 1, REASONING: 1 }
    for (const probability of Object.values(applyCorrection(certain, [1, -1, 1, -1]))) {
      expect(probability).toBeGreaterThanOrEqual(0)
      expect(probability).toBeLessThanOrEqual(1)
    }
  })
})
