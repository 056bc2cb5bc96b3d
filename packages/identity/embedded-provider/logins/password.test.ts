import { describe, expect, test } from 'vitest'
import { hashPassword, isOutdated, isPassword, isPasswordOfFairLength, TooManyPasswords } from './password.ts'

const cheap = { N: 1024, r: 8, p: 1 }

describe('a password', { timeout: 60_000 }, () => {
  test('matches its own hash, which contains its cost and a salt', async () => {
    const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    expect(one).toMatch(/^scrypt\$N=32768,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/)
    expect(one).not.toBe(other)
    expect(await isPassword('correct horse', one)).toBe(true)
    expect(await isPassword('correct horsf', one)).toBe(false)
    for (const nobody of [undefined, ''])
      for (const typed of ['correct horse', '']) expect(await isPassword(typed, nobody, cheap)).toBe(false)
  })

  test('may be typed on another keyboard: both forms of é are equal', async () => {
    expect(await isPassword('cafe\u0301 noir', await hashPassword('caf\u00e9 noir', cheap))).toBe(true)
  })

  test('still matches if it was hashed at another cost, and is reported as outdated', async () => {
    const old = await hashPassword('correct horse', cheap)
    expect([await isPassword('correct horse', old), isOutdated(old)]).toEqual([true, true])
    expect(isOutdated(await hashPassword('correct horse'))).toBe(false)
  })

  test.each([
    ['x'.repeat(9), false],
    ['x'.repeat(10), true],
    [' '.repeat(10), true],
    ['🙂'.repeat(9), false],
    ['🙂'.repeat(200), true],
    ['x'.repeat(201), false],
  ])('%s is of a fair length: %s', (password, isFair) =>
    expect(isPasswordOfFairLength(password)).toBe(isFair),
  )

  test('of an unknown user is wrong, and takes as long to check', async () => {
    const hash = await hashPassword('correct horse')
    const took = async (stored: string | undefined): Promise<number> => {
      const startedAtMs = performance.now()
      expect(await isPassword('something else', stored)).toBe(false)
      return performance.now() - startedAtMs
    }
    const [known, unknown]: [number[], number[]] = [[], []]
    for (let round = 0; round < 5; round++) {
      known.push(await took(hash))
      unknown.push(await took(undefined))
    }
    // Without scrypt this would be a thousandth; other tests share the machine, so the bound is loose.
    const ratio = Math.min(...unknown) / Math.min(...known)
    expect([ratio > 0.3, ratio < 3]).toEqual([true, true])
  })

  test('is not checked if too many others are being checked', async () => {
    const hash = await hashPassword('correct horse', cheap)
    const results = await Promise.allSettled(Array.from({ length: 60 }, () => isPassword('x', hash)))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(8)
    expect(refused[0]!.reason).toBeInstanceOf(TooManyPasswords)
    expect(await isPassword('correct horse', hash)).toBe(true)
  })
})
