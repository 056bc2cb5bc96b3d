import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { shortPieces } from './short-pieces.ts'
import { TokenCounter } from './token-counter.ts'

const prose = 'The quick brown fox jumps over the lazy dog; 12,345 times a day.\n\n'.repeat(200)
/** Has no white space: the tokenizer alone would take minutes. */
const dense = '一'.repeat(200_000)

const tokens = new TokenCounter((error) => {
  throw error
})
afterAll(() => tokens.close())

describe('the pieces of a text', () => {
  it.each([prose, dense.slice(0, 5_000), '😀'.repeat(2_000), ' '.repeat(3_000), 'a', ''])(
    'are short, and joined they are the text',
    (text) => {
      const pieces = shortPieces(text)
      expect(pieces.join('')).toBe(text)
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(512)
      expect(pieces.every((piece) => piece.isWellFormed())).toBe(true)
    },
  )

  it('have hardly more tokens than the text', () => {
    const counted = shortPieces(prose).reduce((sum, piece) => sum + countTokens(piece), 0)
    const whole = countTokens(prose)
    expect(counted).toBeGreaterThanOrEqual(whole)
    expect(counted).toBeLessThan(whole * 1.01)
  })
})

describe('the token counter', () => {
  it('counts a text without any white space', async () => {
    expect(await tokens.count(dense)).toBe(200_000)
  })

  it('estimates while too much is already waiting', async () => {
    const waiting = [tokens.count(prose), tokens.count(prose)]
    expect(await tokens.count('four characters!', 2)).toBe(4)
    expect(await tokens.count('four characters!', 3)).toBe(3)
    await Promise.all(waiting)
  })

  it('ends its worker when there is nothing to count, and starts another one', async () => {
    const own = new TokenCounter((error) => {
      throw error
    }, 20)
    const text = prose.repeat(20)
    const [first, second] = await Promise.all([own.count(text), own.count(dense)])
    for (let round = 0; round < 2; round++) {
      await vi.waitFor(() => expect(own.isRunning).toBe(false), { timeout: 10_000 })
      // Longer than it waits idle: a worker with texts to count never ends.
      expect(await Promise.all([own.count(text), own.count(dense)])).toEqual([first, second])
    }
    await own.close()
  })
})
