import { expect, test } from 'vitest'
import { familiarity, hardness, headCount, overSimple, worth } from './heads.ts'
import { rankingOf, worthOfLength } from './ranking.ts'

function sums(known: Partial<Record<number, number>>): Float64Array {
  return Float64Array.from({ length: headCount }, (_, head) => known[head] ?? 0)
}

test('longer prompts rank higher where nothing else is known, the shortest all alike', () => {
  expect(rankingOf(sums({}), 2_000)).toBeGreaterThan(rankingOf(sums({}), 200))
  expect(rankingOf(sums({}), 5)).toBe(rankingOf(sums({}), 10))
  expect(rankingOf(sums({}), 300)).toBe(worthOfLength(300))
})

test('who wins counts for familiar prompts, how hard it looks for others', () => {
  const length = 300
  const familiar = rankingOf(
    sums({ [familiarity]: 1, [worth]: 0.2, [overSimple]: 0.15, [hardness]: 0.7 }),
    length,
  )
  expect(familiar).toBeCloseTo(worthOfLength(length) + 0.2, 9)
  const other = rankingOf(sums({ [familiarity]: 0.1, [worth]: 0.2, [hardness]: 0.4 }), length)
  expect(other).toBeGreaterThan(worthOfLength(length))
  expect(other).toBeCloseTo(rankingOf(sums({ [hardness]: 0.4 }), length), 9)
})

test('nothing jumps where a prompt becomes familiar', () => {
  const at = (share: number): number =>
    rankingOf(sums({ [familiarity]: share, [worth]: 0.5, [hardness]: -0.5 }), 300)
  for (let share = 0; share < 1; share += 0.01)
    expect(Math.abs(at(share + 0.01) - at(share))).toBeLessThan(0.05)
})
