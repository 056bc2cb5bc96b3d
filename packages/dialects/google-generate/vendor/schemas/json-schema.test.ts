import { describe, expect, it } from 'vitest'
import { refusal } from '../../../testing/refusal.ts'
import { googleSchema, schemaRoom } from './json-schema.ts'

const plain = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Where', minLength: 1, pattern: '^[A-Z]', default: 'Lima' },
    days: {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 7 },
      minItems: 1,
      uniqueItems: true,
    },
    const: { type: 'string' },
    $ref: { type: 'string' },
  },
  required: ['city'],
  additionalProperties: false,
}

const person = { type: 'object', properties: { name: { type: 'string' } } }

/** What a caller sends, and what Google gets. */
const table: [string, unknown, unknown][] = [
  ['what Google takes, properties named as keywords included', plain, plain],
  [
    'its own word for itself',
    { $schema: 'https://json-schema.org/x', $comment: 'y', type: 'null' },
    { type: 'null' },
  ],
  [
    'a reference with a description beside it',
    {
      type: 'object',
      properties: { boss: { $ref: '#/$defs/Person', description: 'Who decides' } },
      $defs: { Person: { ...person, description: 'Anybody' } },
    },
    { type: 'object', properties: { boss: { ...person, description: 'Who decides' } } },
  ],
  [
    'references of older drafts, through others, with escaped names',
    {
      $ref: '#/definitions/a~1b%20c',
      definitions: { 'a/b c': { $ref: '#/definitions/d' }, d: { type: 'string' } },
    },
    { type: 'string' },
  ],
  [
    'a reference back into itself',
    {
      type: 'object',
      properties: { root: { $ref: '#/$defs/Node' } },
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node', description: 'x' } } } },
    },
    {
      type: 'object',
      properties: { root: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } },
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } },
    },
  ],
  [
    'a reference to the whole',
    { type: 'object', properties: { inner: { $ref: '#' } } },
    {
      type: 'object',
      properties: { inner: { $ref: '#/$defs/_' } },
      $defs: { _: { type: 'object', properties: { inner: { $ref: '#/$defs/_' } } } },
    },
  ],
  ['a text that is fixed', { const: 'x' }, { type: 'string', enum: ['x'] }],
  ['a number that is fixed', { type: 'number', const: 2 }, { type: 'number', enum: [2] }],
  ['null that is fixed', { const: null }, { type: 'null' }],
  ['a truth value that is fixed', { const: true }, { type: 'boolean', description: 'one of: [true]' }],
  ['both truth values', { type: 'boolean', enum: [true, false] }, { type: 'boolean' }],
  [
    'values of several types',
    { description: 'd', enum: ['a', 1, null] },
    {
      description: 'd',
      anyOf: [{ type: 'string', enum: ['a'] }, { type: 'integer', enum: [1] }, { type: 'null' }],
    },
  ],
  [
    'values that are objects',
    { type: 'object', description: 'd', enum: [{ a: 1 }] },
    { type: 'object', description: 'd (one of: [{"a":1}])' },
  ],
  ['a type that may be null', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
  ['a list of one type', { type: ['string'] }, { type: 'string' }],
  [
    'several types',
    { type: ['string', 'array', 'null'], title: 't', items: { type: 'string' } },
    {
      title: 't',
      anyOf: [
        { type: 'string', items: { type: 'string' } },
        { type: 'array', items: { type: 'string' } },
        { type: 'null' },
      ],
    },
  ],
  [
    'values that may be null',
    { type: ['string', 'null'], enum: ['a', null] },
    { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
  ],
  [
    'a format that Google takes',
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date-time' },
  ],
  [
    'a format that it refuses',
    { type: 'string', format: 'uuid' },
    { type: 'string', description: 'format: uuid' },
  ],
  [
    'a format that it refuses, described',
    { type: ['string', 'null'], format: 'uri', description: 'Link' },
    { type: ['string', 'null'], description: 'Link (format: uri)' },
  ],
  ['a format of numbers', { type: 'integer', format: 'int64' }, { type: 'integer', format: 'int64' }],
  [
    'exclusive bounds of integers',
    { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10, minimum: -5 },
    { type: 'integer', minimum: 1, maximum: 9 },
  ],
  [
    'exclusive bounds of numbers',
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'number', minimum: 0, exclusiveMinimum: 0 },
  ],
  [
    'a draft that marks bounds as exclusive',
    { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    { type: 'integer', minimum: 2, maximum: 9 },
  ],
  [
    'one schema within allOf, as some generators write a reference',
    { allOf: [{ $ref: '#/$defs/P' }], description: 'd', $defs: { P: person } },
    { ...person, description: 'd' },
  ],
  [
    'schemas that add to each other',
    { allOf: [person, { properties: { age: { type: 'integer' } }, required: ['age'] }], required: ['name'] },
    {
      type: 'object',
      properties: { ...person.properties, age: { type: 'integer' } },
      required: ['name', 'age'],
    },
  ],
  [
    'schemas that disagree',
    { allOf: [{ type: 'string' }, { type: 'integer' }] },
    { allOf: [{ type: 'string' }, { type: 'integer' }] },
  ],
  [
    'schemas within others',
    {
      anyOf: [{ const: 'a' }],
      additionalProperties: { const: 'b' },
      oneOf: [true],
      not: { $ref: '#/anyOf/0' },
    },
    {
      anyOf: [{ type: 'string', enum: ['a'] }],
      additionalProperties: { type: 'string', enum: ['b'] },
      oneOf: [{}],
      not: { type: 'string', enum: ['a'] },
    },
  ],
  [
    'a tuple of older drafts',
    { items: [{ const: 1 }, true] },
    { prefixItems: [{ type: 'integer', enum: [1] }, {}] },
  ],
  [
    'values that only look like schemas',
    { enum: ['$ref'], default: { $ref: 'x' } },
    { enum: ['$ref'], type: 'string', default: { $ref: 'x' } },
  ],
  ['what is no schema', 'text', 'text'],
]

describe('a JSON Schema for Google', () => {
  it.each(table)('is rewritten: %s', (_name, schema, expected) => {
    const before = JSON.stringify(schema)
    expect(googleSchema(schema, 'tools[0].function.parameters')).toEqual(expected)
    expect(JSON.stringify(schema)).toBe(before)
  })

  it('keeps a property called __proto__', () => {
    const text = '{"type":"object","properties":{"__proto__":{"type":"string"}}}'
    expect(JSON.stringify(googleSchema(JSON.parse(text), 'x'))).toBe(text)
  })

  it.each([
    '#/$defs/Gone',
    'https://example.com/schema.json',
    '#anchor',
    '#/__proto__',
    '#/properties/a/constructor',
  ])('is refused if a reference points to nothing: %s', ($ref) => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { $ref } } }
    const path = 'tools[3].function.parameters'
    expect(() => googleSchema(schema, path)).toThrow(refusal(path))
  })

  it('is refused if it grows too large once its references are resolved', () => {
    const $defs: Record<string, unknown> = { d0: { type: 'string' } }
    for (let level = 1; level < 40; level++) {
      const $ref = `#/$defs/d${level - 1}`
      $defs[`d${level}`] = { type: 'object', properties: { a: { $ref }, b: { $ref } } }
    }
    expect(() => googleSchema({ $ref: '#/$defs/d39', $defs }, 'x')).toThrow(/too large/)
    let deep: unknown = { type: 'string' }
    for (let level = 0; level < 5_000; level++) deep = { items: deep }
    expect(() => googleSchema(deep, 'x')).toThrow(/too large/)
  })

  it('shares one limit with all tools of a request', () => {
    const definitions = Array.from({ length: 12 }, (_, at): [string, object] => {
      const $ref = `#/$defs/d${at + 1}`
      return [`d${at}`, { type: 'object', properties: { a: { $ref }, b: { $ref } } }]
    })
    const $defs = { ...Object.fromEntries(definitions), d12: { type: 'string' } }
    const parameters = { type: 'object', properties: { r: { $ref: '#/$defs/d0' } }, $defs }
    const room = schemaRoom()
    googleSchema(parameters, 'tools[0]', room)
    const all = (): void => {
      for (let tool = 1; tool < 10; tool++) googleSchema(parameters, `tools[${tool}]`, room)
    }
    expect(all).toThrow(/^tools\[\d\]: the schema is too large/)
    expect(room.left).toBeLessThan(0)
  })
})
