import { seededRandom } from '@turnpike/simulators'
import { expect, test } from 'vitest'
import { readJson, unsureCharacters } from './truncated-json.ts'

const seed = Date.now()
const random = seededRandom(seed)
const texts = ['', 'a', '"', '\\', '\\"', 'ü\n', '{[,:]}', 'x'.repeat(700), '😀'.repeat(300)]

function anyValue(depth: number): unknown {
  const kind = Math.floor(random() * (depth > 3 ? 4 : 6))
  if (kind < 2) return texts[Math.floor(random() * texts.length)]
  if (kind === 2) return [1, -2.5, true, null, 1e3][Math.floor(random() * 5)]
  if (kind === 3) return {}
  const items = Array.from({ length: Math.floor(random() * 4) }, () => anyValue(depth + 1))
  if (kind === 4) return items
  return Object.fromEntries(items.map((item, index) => [`${texts[index % texts.length]}${index}`, item]))
}

test(`reads everything before the cut, wherever it is (seed ${seed})`, () => {
  for (let round = 0; round < 60; round++) {
    const value = { a: anyValue(0), b: [anyValue(0)], c: 'end' }
    const json = JSON.stringify(value, null, random() < 0.5 ? 0 : 1)
    expect(JSON.stringify(readJson(json))).toBe(JSON.stringify(JSON.parse(json)))
    for (let cut = 1; cut < json.length; cut += 1 + Math.floor(random() * 40))
      expect(readJson(json.slice(0, cut)), json.slice(0, cut)).toBeTypeOf('object')
  }
})

test('a truncated text loses what may be the beginning of a secret', () => {
  const long = 'a'.repeat(2_000)
  const { text } = readJson(`{"text": "${long}`) as { text: string }
  expect(text).toBe('a'.repeat(2_000 - unsureCharacters))
})

test('values that are nested too deeply are left out', () => {
  for (const text of [
    '['.repeat(300_000),
    `${'[1,'.repeat(100_000)}${']'.repeat(100_000)}`,
    '{"a":'.repeat(100_000),
  ])
    expect(readJson(text)).toBeTypeOf('object')
})

test.each([
  ['no JSON', undefined],
  ['', undefined],
  [
    '{"a": 4111111111111111, "b": 41111111111111111111}',
    { a: 4_111_111_111_111_111, b: '41111111111111111111' },
  ],
])('%s', (text, value) => expect(readJson(text)).toEqual(value))
