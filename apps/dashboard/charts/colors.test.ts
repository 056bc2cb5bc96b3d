import { expect, test } from 'vitest'
import { colorsOf } from './colors.ts'

test('colorsOf keeps the color of a name, whatever other names there are, in any order', () => {
  const models = [
    'openai/gpt-5-mini',
    'anthropic/claude-sonnet-4-5',
    'google/gemini-2.5-flash',
    'x',
    'y',
    'z',
  ]
  const first = new Map(colorsOf(models).map((color, index) => [models[index], color]))
  expect(new Set(first.values()).size).toBe(models.length)
  for (const shown of [models.toReversed(), models.slice(2), ['new one', ...models]]) {
    const colors = colorsOf(shown)
    expect(new Set(colors).size).toBe(shown.length)
    for (const [index, name] of shown.entries())
      if (first.has(name)) expect(colors[index], name).toBe(first.get(name))
  }
})
