import { isMap, isScalar, isSeq, type Node } from 'yaml'
import { formats } from './formats.ts'
import { shorten } from './mistake.ts'
import { headerPattern, identifierPattern, modelPattern } from './schema-values.ts'

/** The part of JSON Schema that the configuration's schema is written in. */
export interface ValueSchema {
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean'
  anyOf?: ValueSchema[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, ValueSchema>
  patternProperties?: Record<string, ValueSchema>
  required?: string[]
  /** Of a secret that is required: it, or the file that holds it. */
  allOf?: { oneOf: { required: string[] }[] }[]
  items?: ValueSchema
  minItems?: number
  minLength?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  /** A check of `formats.ts`. */
  format?: string
  /** A secret: no message repeats it. */
  writeOnly?: boolean
  description?: string
  default?: unknown
}

/** What a key that fits a pattern is. */
export const keyPatterns: Record<string, string> = {
  [identifierPattern]: 'a name of lower-case letters, digits, ".", "_" and "-", at most 64',
  [headerPattern]: 'the name of a header that the gateway does not set itself',
  [modelPattern]: 'a model as <provider>/<model_id>, or the name of an alias, without spaces',
}

/** Whether the text is a decimal number, which may also be written without quotes. */
export function isAmount(schema: ValueSchema): boolean {
  return ['usd', 'price', 'factor'].includes(schema.format ?? '')
}

/** How a message goes on after "expected". */
export function describeExpected(schema: ValueSchema): string {
  if (schema.format !== undefined && formats[schema.format] !== undefined)
    return formats[schema.format]!.expected
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`
  switch (schema.type) {
    case 'integer':
      return `a whole number from ${schema.minimum} to ${schema.maximum}`
    case 'number':
      return `a number above ${schema.exclusiveMinimum} and at most ${schema.maximum}`
    case 'boolean':
      return 'true or false'
    case 'object':
      return schema.properties === undefined
        ? 'a section of named entries'
        : `a section with ${Object.keys(schema.properties).join(', ')}`
    case 'array':
      return 'a list'
    default:
      return (schema.minLength ?? 0) > 1 ? `a text of at least ${schema.minLength} characters` : 'a text'
  }
}

/** What is wrong with a value that is neither object nor list; undefined where nothing is. */
export function scalarProblem(value: unknown, schema: ValueSchema): string | undefined {
  return isFitting(value, schema) ? undefined : `expected ${describeExpected(schema)}`
}

function isFitting(value: unknown, schema: ValueSchema): boolean {
  if (schema.const !== undefined) return value === schema.const
  if (schema.enum !== undefined) return schema.enum.includes(value)
  if (schema.type === 'boolean') return typeof value === 'boolean'
  if (schema.type === 'integer' || schema.type === 'number') return isWithin(value, schema)
  if (typeof value !== 'string' || value.length < (schema.minLength ?? 0)) return false
  return schema.format === undefined || formats[schema.format]!.accepts(value)
}

function isWithin(value: unknown, schema: ValueSchema): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  if (schema.type === 'integer' && !Number.isInteger(value)) return false
  if (value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity)) return false
  return value > (schema.exclusiveMinimum ?? -Infinity)
}

/** `, found …`; nothing of a secret, and nothing that might be one. */
export function describeFound(node: Node | null, schema: ValueSchema): string {
  if (isMap(node)) return ', found a section'
  if (isSeq(node)) return ', found a list'
  if (!isScalar(node) || node.value === null) return ', found nothing'
  const quoteIt = typeof node.value === 'number' && schema.type === 'string' && !isAmount(schema)
  if (quoteIt) return ', found a number: put it in quotes'
  if (schema.writeOnly === true || schema.type === 'object' || schema.type === 'array') return ''
  if (typeof node.value === 'string') return `, found ${JSON.stringify(shorten(node.value))}`
  return `, found ${node.source ?? 'something else'}`
}
