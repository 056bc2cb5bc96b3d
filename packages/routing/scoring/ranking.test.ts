import { expect, test } from 'vitest'
import { familiarity, hardness, headCount, worth } from './heads.ts'
import { familiarShareOf, rankingConstants, rankingOf, worthOfLength } from './ranking.ts'

function sums(known: Partial<Record<number, number>>): Float64Array {
  return Float64Array.from({ length: headCount }, (_, head) => known[head] ?? 0)
}

/** Without the subject's worth. */
function rankingAt(known: Float64Array, length: number, options = 0): number {
  return rankingOf(known, length, familiarShareOf(known, options), 0)
}

test('without any other information, longer prompts rank higher and the shortest rank alike', () => {
  const at = (length: number): number => rankingAt(sums({}), length)
  expect(at(2_000)).toBeGreaterThan(at(200))
  expect(at(5)).toBe(at(10))
  expect(at(300)).toBe(worthOfLength(300))
})

test('familiar prompts are ranked by which model wins, others by how hard they look', () => {
  const known = { [worth]: 0.2, [hardness]: 0.4 }
  const familiar = sums({ ...known, [familiarity]: 1 })
  expect(familiarShareOf(familiar, 0)).toBe(1)
  expect(familiarShareOf(familiar, 4)).toBe(1)
  expect(rankingAt(familiar, 300)).toBeCloseTo(worthOfLength(300) + 0.2 * rankingConstants.worthPart, 9)
  const other = sums({ ...known, [familiarity]: 0.1 })
  expect(rankingAt(other, 300)).toBeGreaterThan(worthOfLength(300))
  expect(rankingAt(other, 300)).toBeCloseTo(rankingAt(sums({ [hardness]: 0.4 }), 300), 9)
})

test('the subject’s worth counts as far as a prompt is familiar', () => {
  const nothing = rankingOf(sums({}), 300, 0, 0.1)
  expect(nothing).toBe(worthOfLength(300))
  const { worthPart } = rankingConstants
  expect(rankingOf(sums({}), 300, 1, 0.1)).toBeCloseTo(nothing + 0.1 * worthPart, 9)
  expect(rankingOf(sums({}), 300, 0.5, 0.1)).toBeCloseTo(nothing + 0.05 * worthPart, 9)
})

test('a question with ten options is not like those with four', () => {
  expect(familiarShareOf(sums({ [familiarity]: 1 }), 10)).toBe(0)
})

test('nothing jumps when a prompt becomes familiar', () => {
  const at = (share: number): number =>
    rankingAt(sums({ [familiarity]: share, [worth]: 0.5, [hardness]: -0.5 }), 300)
  for (let share = 0; share < 1; share += 0.01)
    expect(Math.abs(at(share + 0.01) - at(share))).toBeLessThan(0.05)
})
