import { isNode } from 'yaml'
import { describe, expect, test } from 'vitest'
import type { ValueSchema } from '../mistakes/expectation.ts'
import { parseYaml } from '../parse-document.ts'
import { readValue } from '../read-value.ts'
import { configurationSchema } from './schema.ts'

/** A value that violates one keyword, and the expected message. */
type Breach = [value: unknown, message: string]

const noText = '(\0'
const many = (count: number): unknown[] => Array.from({ length: count }, () => 'x')

/** By keyword: values that violate it in a given schema. */
const breaches: Record<keyof ValueSchema, (schema: ValueSchema) => Breach[]> = {
  type: ({ type }) => [[type === 'object' || type === 'array' ? 'x' : {}, 'expected']],
  anyOf: () => [['x', 'expected']],
  const: () => [['another', 'expected']],
  enum: () => [['another', 'expected one of']],
  properties: () => [[{ no_such_key: 1 }, 'unknown key']],
  // For named entries, the pattern rejects unknown keys.
  additionalProperties: ({ patternProperties }) =>
    patternProperties === undefined ? [[{ no_such_key: 1 }, 'unknown key']] : [],
  patternProperties: () => [[{ '(no name)': {} }, 'expected']],
  required: ({ required }) => required!.map((): Breach => [{}, 'missing; expected']),
  allOf: () => [[{}, 'missing; expected']],
  items: () => [[[[]], 'expected']],
  minItems: ({ minItems }) => [[many(minItems! - 1), 'expected at least']],
  maxItems: ({ maxItems }) => [[many(maxItems! + 1), `at most ${maxItems} entries, found ${maxItems! + 1}`]],
  minLength: ({ minLength }) => [['x'.repeat(minLength! - 1), 'expected']],
  maxLength: ({ maxLength }) => [['x'.repeat(maxLength! + 1), `at most ${maxLength} characters`]],
  pattern: () => [['(no name)', 'expected']],
  minimum: ({ minimum }) => [[minimum! - 1, String(minimum)]],
  exclusiveMinimum: ({ exclusiveMinimum }) => [[exclusiveMinimum, `above ${exclusiveMinimum}`]],
  maximum: ({ maximum }) => [[maximum! + 1, String(maximum)]],
  format: () => [[noText, 'expected']],
  writeOnly: () => [],
  description: () => [],
  default: () => [],
}

const schemas = schemasIn(configurationSchema as unknown as ValueSchema, 'turnpike.yaml')
const keywords = [...new Set(schemas.flatMap(({ schema }) => Object.keys(schema)))]

test('the schema uses only keywords that the reader knows', () => {
  expect(keywords.filter((keyword) => !Object.hasOwn(breaches, keyword))).toEqual([])
  expect(Object.keys(breaches).filter((keyword) => !keywords.includes(keyword))).toEqual([])
})

describe('the reader enforces, wherever it appears, the keyword', () => {
  test.each(keywords)('%s', (keyword) => {
    for (const { schema, place } of schemas) {
      if (!Object.hasOwn(schema, keyword)) continue
      for (const [value, expected] of breaches[keyword as keyof ValueSchema](schema)) {
        const found = mistakesOf(value, schema).join('\n')
        expect(found, place).toContain(expected)
        expect(found, place).not.toMatch(/undefined|Infinity|matches \^/)
      }
    }
  })
})

/** The reader's messages for a file with only this value. */
function mistakesOf(value: unknown, schema: ValueSchema): string[] {
  const { document, lines, mistakes } = parseYaml(JSON.stringify(value))
  const node = isNode(document.contents) ? document.contents : null
  const reading = { document, lines, environment: {}, directory: '/', mistakes, offsets: new Map() }
  readValue(reading, node, schema, [])
  return mistakes.map(({ message }) => message)
}

interface Placed {
  schema: ValueSchema
  place: string
}

function schemasIn(schema: ValueSchema, place: string): Placed[] {
  const inner = [
    ...Object.entries(schema.properties ?? {}),
    ...Object.entries(schema.patternProperties ?? {}),
    ...(schema.anyOf ?? []).map((one, index) => [`anyOf ${index}`, one] as const),
    ...(schema.items === undefined ? [] : [['[]', schema.items] as const]),
  ]
  return [{ schema, place }, ...inner.flatMap(([name, one]) => schemasIn(one, `${place} ${name}`))]
}
