import { describe, expect, test } from 'vitest'
import { expiryNotice, isUnusual, highestReachedPercent, runwayTenths, usualPico } from './rules.ts'

const usd = 1_000_000_000_000n
const dayMs = 24 * 60 * 60 * 1000

describe('how long credit lasts', () => {
  test.each([
    ['seven days alike', 70n, [10n, 10n, 10n, 10n, 10n, 10n, 10n], 70],
    ['the days before the first do not count', 30n, [10n, 10n, 0n, 0n, 0n, 0n, 0n], 30],
    ['a day without any in between does', 30n, [20n, 0n, 0n, 20n, 0n, 0n, 0n], 30],
    ['rounded down', 19n, [10n, 10n, 10n, 10n, 10n, 10n, 10n], 19],
    ['none left', -5n, [10n, 0n, 0n, 0n, 0n, 0n, 0n], 0],
    ['nothing spent', 5n, [0n, 0n, 0n, 0n, 0n, 0n, 0n], undefined],
  ])('%s', (_, balance, spent, tenths) => {
    const spentPico = spent.map((amount) => amount * usd)
    expect(runwayTenths(balance * usd, spentPico)).toBe(tenths)
  })
})

test('an hour of spending is unusual above five times the mean and above 5 USD', () => {
  const meanPico = usualPico([2n * usd, 4n * usd, 0n])
  expect(meanPico).toBe(2n * usd)
  expect([10n * usd, 10n * usd + 1n].map((pico) => isUnusual(pico, meanPico))).toEqual([false, true])
  expect([5n * usd, 5n * usd + 1n].map((pico) => isUnusual(pico, 1n))).toEqual([false, true])
  expect(usualPico([])).toBe(0n)
})

describe('a key about to expire', () => {
  const key = { createdAtMs: 0, expiresAtMs: 30 * dayMs }
  test.each([
    ['long before', 22, undefined],
    ['a week before', 23, 7],
    ['a day before', 29, 1],
    ['just before', 29.9, 1],
    ['behind it', 30, undefined],
  ])('%s', (_, days, notice) => expect(expiryNotice(key, 7, days * dayMs)).toBe(notice))

  test('gives no notice longer than the key’s whole life, be it days or hours', () => {
    expect(expiryNotice({ createdAtMs: 0, expiresAtMs: 3 * dayMs }, 7, dayMs)).toBeUndefined()
    expect(expiryNotice({ createdAtMs: 0, expiresAtMs: 3 * dayMs }, 7, 2.5 * dayMs)).toBe(1)
    expect(expiryNotice({ createdAtMs: 0, expiresAtMs: dayMs / 24 }, 7, 0)).toBeUndefined()
  })
})

test('reports the highest percentage of a budget that is reached, and none before anything was spent', () => {
  const at = (spent: bigint, limit = 100n) => highestReachedPercent(spent, limit, [50, 80, 100])
  expect([0n, 49n, 50n, 79n, 80n, 99n, 100n, 1_000n].map((spent) => at(spent))).toEqual([
    undefined,
    undefined,
    50,
    50,
    80,
    80,
    100,
    100,
  ])
  expect([at(0n, 0n), at(1n, 0n), highestReachedPercent(5n, 1n, [])]).toEqual([undefined, 100, undefined])
})
