import { expect, test } from 'vitest'
import { areSomeMended, newDifferences } from './new-differences.ts'

const balance = { subject: 'balance of key:a', expected: '100', found: '107' }
const other = { subject: 'balance of key:b', expected: '1', found: '2' }
const text = { subject: 'usage totals of 2026-03-01, acct_1', expected: 'nothing', found: '1 requests' }
const setAside = { subject: 'charge of req_1, set aside in outbox', expected: '5', found: 'none: overflow' }

const finished = (...differences: (typeof balance)[]) => ({ state: 'finished' as const, differences })

test('the first time, all differences are new', () => {
  expect(newDifferences([balance, text], [])).toEqual([balance, text])
  expect(newDifferences([], [finished(balance)])).toEqual([])
})

test('a difference of the same amount is known, whatever was spent meanwhile', () => {
  const later = { ...balance, expected: '-40', found: '-33' }
  expect(newDifferences([later, other], [finished(balance)])).toEqual([other])
  const worse = { ...balance, found: '108' }
  expect(newDifferences([worse], [finished(balance)])).toEqual([worse])
  expect(newDifferences([{ ...text, found: '2 requests' }], [finished(text)])).toEqual([])
})

test('a corrected difference that reappears is new; a run that was cut short corrects nothing', () => {
  expect(newDifferences([balance], [finished(), finished(balance)])).toEqual([balance])
  const stopped = { state: 'stopped' as const, differences: [other] }
  expect(newDifferences([balance, other], [stopped, finished(balance)])).toEqual([])
})

test("a difference in one node's files is reported once, even if other nodes do not see it", () => {
  expect(newDifferences([setAside], [finished(), finished(setAside)])).toEqual([])
  expect(areSomeMended([], [finished(setAside)])).toBe(false)
})

test('the disappearance of some differences is new, too', () => {
  expect(areSomeMended([balance], [finished(balance, other)])).toBe(true)
  expect(areSomeMended([balance], [finished(balance)])).toBe(false)
  expect(areSomeMended([], [])).toBe(false)
})
