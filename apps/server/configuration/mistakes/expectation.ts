import { isMap, isScalar, isSeq, type Node } from 'yaml'
import { formats } from '../formats.ts'
import { shorten } from './mistake.ts'
import {
  headerPattern,
  identifierPattern,
  modelPattern,
  organizationPattern,
  serviceTierPattern,
} from '../schema/values.ts'

/** The part of JSON Schema that the configuration's schema uses. The reader checks all of it. */
export interface ValueSchema {
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean'
  anyOf?: ValueSchema[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, ValueSchema>
  patternProperties?: Record<string, ValueSchema>
  additionalProperties?: false
  required?: string[]
  /** For a required secret: either the secret or the file that holds it. */
  allOf?: { oneOf: { required: string[] }[] }[]
  items?: ValueSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  /** The name of a check in `formats.ts`. */
  format?: string
  /** Marks a secret: no message repeats it. */
  writeOnly?: boolean
  description?: string
  default?: unknown
}

/** What a key or a text is called that matches a pattern. */
const meanings: Record<string, string> = {
  [identifierPattern]: 'a name of lower-case letters, digits, ".", "_" and "-", at most 64',
  [headerPattern]: 'the name of a header that the gateway does not set itself',
  [modelPattern]: 'a model as <provider>/<model_id>, or the name of an alias, without spaces',
  [organizationPattern]: 'the id of an organization such as "acct_01h455vb4pex5vsknk084sn02q"',
  [serviceTierPattern]: 'the name of a service tier such as "priority"',
}

export function describePattern(pattern: string): string {
  return meanings[pattern] ?? `a text that matches ${pattern}`
}

/** Whether the value is a decimal number, which may also be written without quotes. */
export function isAmount(schema: ValueSchema): boolean {
  return ['usd', 'price', 'factor'].includes(schema.format ?? '')
}

/** The end of the message "expected …". */
export function describeExpected(schema: ValueSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`
  switch (schema.type) {
    case 'integer':
      return `a whole number ${describeRange(schema)}`.trimEnd()
    case 'number':
      return `a number ${describeRange(schema)}`.trimEnd()
    case 'boolean':
      return 'true or false'
    case 'object':
      return schema.properties === undefined
        ? 'a section of named entries'
        : `a section with ${Object.keys(schema.properties).join(', ')}`
    case 'array':
      return 'a list'
    default:
      return describeText(schema)
  }
}

function describeRange({ minimum, exclusiveMinimum, maximum }: ValueSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`
  const bounds = [
    ...(minimum === undefined ? [] : [`of at least ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ]
  return bounds.join(' and ')
}

function describeText({ format, pattern, minLength = 0, maxLength }: ValueSchema): string {
  const lengths = [
    ...(minLength > 1 ? [`at least ${minLength}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength}`]),
  ]
  const length = lengths.length === 0 ? '' : `${lengths.join(' and ')} characters`
  const meaning =
    formats[format ?? '']?.expected ?? (pattern === undefined ? undefined : describePattern(pattern))
  if (meaning === undefined) return length === '' ? 'a text' : `a text of ${length}`
  return length === '' ? meaning : `${meaning}; ${length}`
}

/** The error if a list has too few or too many items; otherwise undefined. */
export function countProblem(count: number, { minItems = 0, maxItems }: ValueSchema): string | undefined {
  if (count < minItems) return `expected at least ${minItems === 1 ? 'one' : minItems}`
  if (maxItems !== undefined && count > maxItems)
    return `expected at most ${maxItems} entries, found ${count}`
  return undefined
}

/** The error in a value that is neither an object nor a list; undefined if it is valid. */
export function scalarProblem(value: unknown, schema: ValueSchema): string | undefined {
  return isFitting(value, schema) ? undefined : `expected ${describeExpected(schema)}`
}

function isFitting(value: unknown, schema: ValueSchema): boolean {
  if (schema.const !== undefined) return value === schema.const
  if (schema.enum !== undefined) return schema.enum.includes(value)
  if (schema.type === 'boolean') return typeof value === 'boolean'
  if (schema.type === 'integer' || schema.type === 'number') return isWithin(value, schema)
  if (typeof value !== 'string' || !isOfLength(value, schema)) return false
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) return false
  return schema.format === undefined || formats[schema.format]!.accepts(value)
}

/** Counts characters as JSON Schema does: one outside the basic plane counts as one. */
function isOfLength(text: string, { minLength = 0, maxLength = Infinity }: ValueSchema): boolean {
  const { length } = Array.from(text)
  return length >= minLength && length <= maxLength
}

function isWithin(value: unknown, schema: ValueSchema): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  if (schema.type === 'integer' && !Number.isInteger(value)) return false
  if (value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity)) return false
  return value > (schema.exclusiveMinimum ?? -Infinity)
}

/** `, found …`. It shows nothing of a secret, or of a value that might be one. */
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
