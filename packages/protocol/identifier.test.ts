import { describe, expect, test } from 'vitest'
import { firstIdentifierAt, newIdentifier } from './identifier.ts'

const nowMs = Date.parse('2026-03-10T00:00:00Z')

describe('An identifier', () => {
  test('has its prefix and 26 characters', () => {
    expect(newIdentifier('req')).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/)
  })

  test('sorts by time, and within a millisecond by creation', () => {
    const made = Array.from({ length: 5000 }, (_, index) =>
      newIdentifier('key', nowMs + Math.floor(index / 2500)),
    )
    expect(made.toSorted()).toEqual(made)
    expect(new Set(made).size).toBe(made.length)
  })

  test('is at or after its millisecond’s lower bound, and before the next one’s', () => {
    const made = newIdentifier('led', nowMs)
    expect(made > firstIdentifierAt('led', nowMs)).toBe(true)
    expect(made < firstIdentifierAt('led', nowMs + 1)).toBe(true)
  })
})
