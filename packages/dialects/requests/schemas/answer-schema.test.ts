import { expect, it } from 'vitest'
import { answerSchema } from './answer-schema.ts'

it('writes into the description what the vendor does not accept', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    additionalProperties: true,
    properties: {
      name: { type: 'string', description: 'Full', minLength: 1, pattern: '^[A-Z]' },
      when: { type: 'string', format: 'date' },
      colour: { type: 'string', format: 'color' },
      list: { type: 'array', minItems: 2, items: { oneOf: [{ type: 'null' }, { type: 'object' }] } },
      some: { type: ['object', 'null'], minItems: 1 },
      format: { $ref: '#/$defs/format', description: 'lost beside a reference' },
    },
    $defs: { format: { enum: ['a', 'b'] } },
    required: ['name'],
  }
  expect(answerSchema(schema, 'A person')).toEqual({
    type: 'object',
    additionalProperties: false,
    description: 'A person',
    properties: {
      name: { type: 'string', description: 'Full\n\nMust hold: minLength: 1, pattern: "^[A-Z]"' },
      when: { type: 'string', format: 'date' },
      colour: { type: 'string', description: 'Must hold: format: "color"' },
      list: {
        type: 'array',
        description: 'Must hold: minItems: 2',
        items: { anyOf: [{ type: 'null' }, { type: 'object', additionalProperties: false }] },
      },
      some: { type: ['object', 'null'], additionalProperties: false, minItems: 1 },
      format: { $ref: '#/$defs/format' },
    },
    $defs: { format: { enum: ['a', 'b'] } },
    required: ['name'],
  })
})

it('accepts a format that cannot be written as text', () => {
  const format = { toString: 1, valueOf: 1 }
  expect(answerSchema({ type: 'string', format })).toEqual({
    type: 'string',
    description: `Must hold: format: ${JSON.stringify(format)}`,
  })
})
