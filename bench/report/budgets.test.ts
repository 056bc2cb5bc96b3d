import { expect, test } from 'vitest'
import { budgetsOf, type BudgetResult } from './budgets.ts'
import { mediansOf, noRounds, type Rounds } from './figures.ts'

const pair = 'CPU of three budgets on a request, to none'

function pairOf(subjects: Record<string, Partial<Rounds>>): BudgetResult {
  const rounds = new Map(Object.entries(subjects).map(([name, own]) => [name, { ...noRounds(), ...own }]))
  const medians = new Map([...rounds].map(([name, own]) => [name, mediansOf(own)]))
  return budgetsOf(rounds, medians).find(({ what }) => what === pair)!
}

test('compares budgets round by round, so that a machine that slows down has no effect', () => {
  const result = pairOf({
    turnpike: { freshRequestMicroseconds: [100, 200, 400], requestMicroseconds: [300, 100] },
    'turnpike-budgets': { freshRequestMicroseconds: [101, 202, 404], requestMicroseconds: [330, 90] },
  })
  // The medians alone would give 202 / 200 for the first and 210 / 200 for the second.
  expect(result.measured).toBeCloseTo(1.01, 10)
  expect(result).toMatchObject({ budget: '≤ 1.02×', pass: true })
})

test('misses the target if budgets cost more than 2 %', () => {
  const result = pairOf({
    turnpike: { freshRequestMicroseconds: [100, 100, 100] },
    'turnpike-budgets': { freshRequestMicroseconds: [102, 103, 104] },
  })
  expect(result.measured).toBeCloseTo(1.03, 10)
  expect(result.pass).toBe(false)
})

test('gives no verdict without the subject that has budgets', () => {
  const result = pairOf({ turnpike: { freshRequestMicroseconds: [100], requestMicroseconds: [100] } })
  expect(result.measured).toBeNaN()
  expect(result.pass).toBeUndefined()
})
