import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { schemaValue } from './schema-value.ts'

const tree = {
  $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] } },
  $ref: '#/$defs/node',
}

test.each([
  [{ type: 'object' }],
  [{ type: 'object', properties: { a: { type: 'string' }, b: { type: ['number', 'null'] } } }],
  [{ properties: { a: { const: 7 } }, required: ['a'] }],
  [{ type: 'array', items: { type: 'boolean' }, minItems: 3 }],
  [{ type: 'array', items: { type: 'boolean' }, maxItems: 0 }],
  [{ type: 'array', prefixItems: [{ type: 'null' }, { type: 'integer' }] }],
  [{ type: 'integer', exclusiveMinimum: 4 }],
  [{ type: 'integer', minimum: -9, maximum: -3 }],
  [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
  [{ type: 'integer', minimum: 10, multipleOf: 7 }],
  [{ type: 'string', minLength: 20 }],
  [{ type: 'string', maxLength: 3 }],
  [{ enum: ['x', 'y'] }],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }],
  [{ oneOf: [{ type: 'integer' }, { type: 'string' }] }],
  [{ $defs: { a: { type: 'integer' } }, properties: { x: { $ref: '#/$defs/a' } }, required: ['x'] }],
  [
    {
      allOf: [
        { properties: { a: { type: 'integer' } }, required: ['a'] },
        { properties: { b: { type: 'string' } }, required: ['b'] },
      ],
    },
  ],
])('satisfies %j', (schema) => {
  const validate = new Ajv2020({ strict: false }).compile(schema)
  const value = schemaValue(schema)
  expect(validate(value), JSON.stringify(value)).toBe(true)
})

test('ends for schemas that refer to themselves', () => {
  expect(JSON.stringify(schemaValue(tree)).length).toBeLessThan(1000)
  const wide = {
    ...tree.$defs.node,
    properties: { a: { $ref: '#' }, b: { $ref: '#' } },
    required: ['a', 'b'],
  }
  expect(JSON.stringify(schemaValue(wide)).length).toBeLessThan(100_000)
  expect(schemaValue({ $ref: '#/$defs/none' })).toBeNull()
  expect(schemaValue({ $ref: '#' })).toBeNull()
})

test('treats __proto__ as an ordinary member', () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"const":1}},"required":["__proto__"]}') as unknown
  expect(JSON.stringify(schemaValue(schema))).toBe('{"__proto__":1}')
})
