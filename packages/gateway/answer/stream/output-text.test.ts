import { expect, it } from 'vitest'
import { OutputText } from './output-text.ts'

it('keeps a short answer whole, however it was split', () => {
  const output = new OutputText()
  const text = 'zażółć gęślą jaźń, 漢字 and 🦜 '.repeat(300)
  for (const character of text) output.add(character)
  expect(output.snapshot()).toMatchObject({ text, bytes: Buffer.byteLength(text) })
})

it('forgets what the caller did not get', () => {
  const output = new OutputText()
  output.add('given ')
  output.markDelivered()
  output.add('not given')
  output.forgetRest()
  expect(output.snapshot()).toMatchObject({ text: 'given ', bytes: 6 })
  output.add('at last')
  expect(output.snapshot()).toMatchObject({ text: 'given at last', bytes: 13 })
})

it.each(['a', 'ż', '漢', '🦜'])(
  'keeps the beginning of a long answer and counts all of it: %s',
  (character) => {
    const output = new OutputText()
    const piece = `${character}${character} `
    for (let count = 0; count < 20_000; count++) output.add(piece)
    const { text, bytes } = output.snapshot()
    expect(bytes).toBe(20_000 * Buffer.byteLength(piece))
    expect(piece.repeat(20_000).startsWith(text)).toBe(true)
    expect(Buffer.byteLength(text)).toBeGreaterThan(16 * 1024 - 64)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16 * 1024)
  },
)

it('samples the rest of the text, which may differ from the beginning', () => {
  const output = new OutputText()
  output.add(' '.repeat(17_000))
  for (let count = 0; count < 20_000; count++) output.add(count < 10_000 ? 'early ' : 'later ')
  const { sample } = output.snapshot()
  expect(Buffer.byteLength(sample)).toBeLessThanOrEqual(8 * 1024)
  for (const word of ['early', 'later']) expect(sample.split(word).length).toBeGreaterThan(50)
})

it.each([
  ['text', { type: 'block-delta', choice: 0, block: 0, text: 'Zażółć' } as const, 10, 0],
  [
    'a value',
    { type: 'block-delta', choice: 0, block: 0, text: '', value: { a: ['Yes', 'No'] } } as const,
    5,
    0,
  ],
  ['audio', { type: 'block-delta', choice: 0, block: 0, text: '', value: 'A'.repeat(6_400) } as const, 0, 2],
  [
    'labels',
    { type: 'block-delta', choice: 0, block: 0, text: '', value: { id: 'x', type: 'y' } } as const,
    0,
    0,
  ],
  ['a probability', { type: 'block-delta', choice: 0, block: 0, text: '', logprobs: {} } as const, 0, 1],
])('counts %s', (_name, part, bytes, textlessTokens) => {
  const output = new OutputText()
  output.start({ type: 'block-start', choice: 0, block: 0, kind: 'raw', name: 'thoughts' })
  output.delta(part)
  expect(output.snapshot()).toMatchObject({ bytes, textlessTokens })
})

it.each(['annotations', 'groundingMetadata', 'web_search_tool_result'])(
  'does not count what only describes an answer: %s',
  (name) => {
    const output = new OutputText()
    output.start({ type: 'block-start', choice: 0, block: 0, kind: 'raw', name })
    output.start({ type: 'block-start', choice: 1, block: 0, kind: 'raw', name: 'said' })
    output.delta({ type: 'block-delta', choice: 0, block: 0, text: '', value: 'a page' })
    expect(output.mostTokens).toBe(0)
    output.delta({ type: 'block-delta', choice: 1, block: 0, text: '', value: 'a word' })
    expect(output.mostTokens).toBe(6)
  },
)
