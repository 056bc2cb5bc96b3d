import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { parseConfiguration } from '../load.ts'

function mistakesIn(yaml: string): string[] {
  return parseConfiguration(yaml, {}).mistakes.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

describe('all mistakes are reported at once:', () => {
  test('an unset variable does not hide a missing style', () => {
    expect(mistakesIn('providers: { x: { api_keys: ["${NOT_SET}"] } }')).toEqual([
      expect.stringContaining('providers.x.style: missing; expected one of openai'),
      'providers.x.api_keys.0: the environment variable NOT_SET is not set',
    ])
  })

  test("a wrong value of one provider does not hide another provider's, and is reported once", () => {
    expect(mistakesIn('providers: { x: { style: opneai }, y: { api_keys: [k] } }')).toEqual([
      expect.stringContaining('providers.x.style: expected one of'),
      expect.stringContaining('providers.y.style: missing'),
    ])
  })

  test('mistakes that only follow from a wrong address are not reported', () => {
    expect(mistakesIn('providers: { x: { style: openai, base_url: "${NOT_SET}" } }')).toEqual([
      'providers.x.base_url: the environment variable NOT_SET is not set',
    ])
  })
})

test('a wrong value anywhere in a whole configuration is one mistake, and breaks no other check', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/configuration.md'), 'utf8')
  const example: unknown = parse(/```yaml\n([\s\S]*?)```/.exec(guide)![1]!)
  const paths = placesIn(example)
  expect(paths.length).toBeGreaterThan(25)
  for (const path of paths) {
    const text = stringify(withWrongValue(example, path))
    const { mistakes } = parseConfiguration(text, {})
    expect(mistakes.map((one) => one.path.join('.')).some((one) => path.join('.').startsWith(one))).toBe(true)
  }
})

type Place = (string | number)[]

function placesIn(value: unknown, path: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([key, one]) =>
    placesIn(one, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return path.length === 0 ? inner : [path, ...inner]
}

/** An unset variable is a mistake for every type. */
function withWrongValue(value: unknown, [key, ...rest]: Place): unknown {
  if (key === undefined) return '${NOT_SET}'
  if (Array.isArray(value))
    return value.map((one: unknown, index) => (index === key ? withWrongValue(one, rest) : one))
  const section = value as Record<string, unknown>
  return { ...section, [key]: withWrongValue(section[key], rest) }
}
