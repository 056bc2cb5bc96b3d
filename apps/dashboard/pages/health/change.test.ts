import { describe, expect, test } from 'vitest'
import { chanceOf, changeOf, isBeforeCounted } from './change.ts'
import { percent, speed } from './rates.ts'

test('changeOf says whether a change is for the better, and ignores one within the measuring error', () => {
  expect(changeOf(0.02, 0.01, 'down')).toEqual({ direction: 'up', meaning: 'worse' })
  expect(changeOf(0, 0.01, 'down')).toEqual({ direction: 'down', meaning: 'better' })
  expect(changeOf(60, 40, 'up')).toEqual({ direction: 'up', meaning: 'better' })
  expect(changeOf(200, 100, 'neither')).toEqual({ direction: 'up' })
  expect(changeOf(1_189, 1_000, 'down')).toEqual({ direction: 'same' })
  expect(changeOf(0, 0, 'down')).toEqual({ direction: 'same' })
})

test('chanceOf tells random differences between shares of few requests from real ones', () => {
  const chance = chanceOf({ share: 0.02, requests: 100 }, { share: 0.01, requests: 100 })
  expect(changeOf(0.02, 0.01, 'down', chance)).toEqual({ direction: 'same' })
  const many = chanceOf({ share: 0.02, requests: 10_000 }, { share: 0.01, requests: 10_000 })
  expect(changeOf(0.02, 0.01, 'down', many)).toEqual({ direction: 'up', meaning: 'worse' })
  expect(chanceOf({ share: 0, requests: 0 }, { share: 1, requests: 9 })).toBe(1)
})

test('isBeforeCounted is true if counting began before the previous period', () => {
  const days = ['2026-03-15', '2026-03-16']
  const at = (text: string): number => Date.parse(text) / 1000
  expect(isBeforeCounted(days, at('2026-03-13'))).toBe(true)
  expect(isBeforeCounted(days, at('2026-03-13') + 1)).toBe(false)
  expect(isBeforeCounted(days, at('2026-03-20'))).toBe(false)
})

describe('percent and speed', () => {
  test.each([
    [0, '0 %'],
    [0.000001, '< 0.01 %'],
    [0.0004, '0.04 %'],
    [0.012, '1.2 %'],
    [0.3149, '31 %'],
    [0.9951, '99.5 %'],
    [0.99999, '> 99.9 %'],
    [1, '100 %'],
  ])('show a share of %s as %s', (share, text) => expect(percent(share)).toBe(text))
  test.each([
    [3.44, '3.4'],
    [42.4, '42'],
    [12_345, '12,345'],
  ])('show %s tokens a second as %s', (tokens, text) => expect(speed(tokens)).toBe(text))
})
