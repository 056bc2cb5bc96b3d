import { expect, it } from 'vitest'
import { OutputText } from './output-text.ts'

it('keeps a short answer whole, however it was cut', () => {
  const output = new OutputText()
  const text = 'zażółć gęślą jaźń, 漢字 and 🦜 '.repeat(300)
  for (const character of text) output.add(character)
  expect(output.seen()).toMatchObject({ text, bytes: Buffer.byteLength(text) })
})

it('forgets what the caller was not given', () => {
  const output = new OutputText()
  output.add('given ')
  output.given()
  output.add('not given')
  output.forgetRest()
  expect(output.seen()).toMatchObject({ text: 'given ', bytes: 6 })
  output.add('at last')
  expect(output.seen()).toMatchObject({ text: 'given at last', bytes: 13 })
})

it.each(['a', 'ż', '漢', '🦜'])(
  'keeps the beginning of a long answer and counts all of it: %s',
  (character) => {
    const output = new OutputText()
    const piece = `${character}${character} `
    for (let count = 0; count < 20_000; count++) output.add(piece)
    const { text, bytes } = output.seen()
    expect(bytes).toBe(20_000 * Buffer.byteLength(piece))
    expect(piece.repeat(20_000).startsWith(text)).toBe(true)
    expect(Buffer.byteLength(text)).toBeGreaterThan(16 * 1024 - 4)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16 * 1024)
  },
)
