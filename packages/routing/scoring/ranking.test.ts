import { expect, test } from 'vitest'
import { familiarity, hardness, headCount, worth } from './heads.ts'
import { rankingOf, worthOfLength } from './ranking.ts'

function sums(known: Partial<Record<number, number>>): Float64Array {
  return Float64Array.from({ length: headCount }, (_, head) => known[head] ?? 0)
}

const noAnswers = { options: 0 }

test('longer prompts rank higher where nothing else is known, the shortest all alike', () => {
  const at = (length: number): number => rankingOf(sums({}), { ...noAnswers, length })
  expect(at(2_000)).toBeGreaterThan(at(200))
  expect(at(5)).toBe(at(10))
  expect(at(300)).toBe(worthOfLength(300))
})

test('who wins counts for familiar prompts, how hard it looks for others', () => {
  const length = 300
  const known = { [worth]: 0.2, [hardness]: 0.4 }
  const familiar = sums({ ...known, [familiarity]: 1 })
  const won = worthOfLength(length) + 0.2
  expect(rankingOf(familiar, { length, options: 0 })).toBeCloseTo(won, 9)
  expect(rankingOf(familiar, { length, options: 4 })).toBeCloseTo(won, 9)
  const other = rankingOf(sums({ ...known, [familiarity]: 0.1 }), { length, options: 4 })
  expect(other).toBeGreaterThan(worthOfLength(length))
  expect(other).toBeCloseTo(rankingOf(sums({ [hardness]: 0.4 }), { length, options: 4 }), 9)
})

test('a question with ten answers to choose from is not like those with four', () => {
  const familiar = sums({ [familiarity]: 1, [worth]: 0.2, [hardness]: 0.4 })
  const hard = sums({ [hardness]: 0.4 })
  const ten = { length: 300, options: 10 }
  expect(rankingOf(familiar, ten)).toBeCloseTo(rankingOf(hard, ten), 9)
})

test('nothing jumps where a prompt becomes familiar', () => {
  const at = (share: number): number =>
    rankingOf(sums({ [familiarity]: share, [worth]: 0.5, [hardness]: -0.5 }), { ...noAnswers, length: 300 })
  for (let share = 0; share < 1; share += 0.01)
    expect(Math.abs(at(share + 0.01) - at(share))).toBeLessThan(0.05)
})
