import { isObject } from '../../../json/object.ts'

export type Schema = Record<string, unknown>

/**
 * String formats that Google accepts
 * (https://ai.google.dev/gemini-api/docs/structured-output#json-schema-support).
 */
const formats = new Set(['date-time', 'date', 'time', 'enum'])
/** Keywords that describe a value without restricting it. They stay outside of the variants of a union. */
const annotations = new Set(['title', 'description', 'default', 'examples', '$id', '$anchor'])

/** A schema, with inner ones already converted, without the keywords that Google refuses or ignores. */
export function plainSchema(schema: Schema): Schema {
  return withTypes(withValues(withBounds(withFormat(withoutAllOf(schema)))))
}

/** Google ignores `allOf`. Its schemas are merged if no two of them conflict. */
function withoutAllOf(schema: Schema): Schema {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf)) return schema
  let merged: Schema = rest
  for (const one of allOf as unknown[]) {
    if (!isObject(one)) return schema
    const both = together(merged, one)
    if (both === undefined) return schema
    merged = both
  }
  return merged
}

/** A schema that requires both. Undefined if one schema cannot express that. */
function together(first: Schema, second: Schema): Schema | undefined {
  const merged: Schema = { ...first }
  for (const [keyword, value] of Object.entries(second)) {
    const before = merged[keyword]
    if (!Object.hasOwn(merged, keyword)) merged[keyword] = value
    else if (keyword === 'required' && Array.isArray(before) && Array.isArray(value)) {
      merged[keyword] = [...new Set([...(before as unknown[]), ...(value as unknown[])])]
    } else if (keyword === 'properties' && isObject(before) && isObject(value)) {
      const disagree = Object.keys(value).some(
        (name) => Object.hasOwn(before, name) && !same(before[name], value[name]),
      )
      // A schema that allows no other properties would exclude the other schema's.
      if (disagree || Object.hasOwn({ ...first, ...second }, 'additionalProperties')) return undefined
      merged[keyword] = { ...before, ...value }
    } else if (!annotations.has(keyword) && !same(before, value)) return undefined
  }
  return merged
}

/** A format that Google refuses is written into the description instead. */
function withFormat(schema: Schema): Schema {
  const { format, ...rest } = schema
  if (typeof format !== 'string' || formats.has(format) || !typesOf(schema).includes('string')) return schema
  return addNote(rest, `format: ${format}`)
}

/** Google ignores exclusive bounds: they become the nearest inclusive ones, exact for integers. */
function withBounds(schema: Schema): Schema {
  const { exclusiveMinimum, exclusiveMaximum, ...rest } = schema
  const { minimum, maximum } = rest
  // Draft 4 marks a bound as exclusive with a boolean; later drafts give the number.
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum
  const types = typesOf(schema)
  const whole = types.length > 0 && types.every((type) => type === 'integer')
  const bounded: Schema = { ...rest }
  if (typeof above === 'number') {
    const least = whole ? Math.floor(above) + 1 : above
    bounded['minimum'] = typeof minimum === 'number' ? Math.max(minimum, least) : least
    if (!whole) bounded['exclusiveMinimum'] = above
  }
  if (typeof below === 'number') {
    const most = whole ? Math.ceil(below) - 1 : below
    bounded['maximum'] = typeof maximum === 'number' ? Math.min(maximum, most) : most
    if (!whole) bounded['exclusiveMaximum'] = below
  }
  return bounded
}

/** Google ignores `const` and, in `enum`, all but strings and numbers. Those go into the description. */
function withValues(schema: Schema): Schema {
  const { const: only, enum: several, ...rest } = schema
  const values: unknown = Object.hasOwn(schema, 'const') ? [only] : several
  if (!Array.isArray(values)) return schema
  const types = [...new Set((values as unknown[]).map(typeOf))]
  const type = rest['type'] ?? (types.length === 1 ? types[0] : types)
  const listed = (values as unknown[]).filter(isListed)
  const others = (values as unknown[]).filter((value) => !isListed(value) && value !== null)
  // Both booleans together are no restriction, and null is a type of its own.
  const restricts = others.length > 0 && !(others.includes(true) && others.includes(false))
  const typed = restricts
    ? addNote({ ...rest, type }, `one of: ${JSON.stringify(values)}`)
    : { ...rest, type }
  return listed.length === 0 ? typed : { ...typed, enum: listed }
}

function isListed(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}

/**
 * A list of types becomes a union, except for a nullable type, which Google accepts as it is. With a list of
 * values it is not: that would exclude null.
 */
function withTypes(schema: Schema): Schema {
  const { type, ...rest } = schema
  if (!Array.isArray(type)) return schema
  const types = [...new Set(type as unknown[])]
  if (types.length === 1) return { ...schema, type: types[0] }
  const nullable = types.length === 2 && types.includes('null')
  if (nullable && rest['enum'] === undefined) return schema
  const outer = Object.entries(rest).filter(([keyword]) => annotations.has(keyword))
  const binding = Object.entries(rest).filter(([keyword]) => !annotations.has(keyword))
  const variants = types.map((one) => variant(one, Object.fromEntries(binding)))
  return { ...Object.fromEntries(outer), anyOf: variants }
}

function variant(type: unknown, binding: Schema): Schema {
  if (type === 'null') return { type }
  const { enum: values, ...rest } = binding
  if (!Array.isArray(values)) return { type, ...binding }
  const fitting = (values as unknown[]).filter(
    (value) => typeOf(value) === type || (type === 'number' && typeof value === 'number'),
  )
  return fitting.length === 0 ? { type, ...rest } : { type, ...rest, enum: fitting }
}

function addNote(schema: Schema, note: string): Schema {
  const { description } = schema
  const text = typeof description === 'string' && description !== '' ? `${description} (${note})` : note
  return { ...schema, description: text }
}

function typesOf({ type }: Schema): unknown[] {
  const types: unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return types.filter((one) => one !== 'null')
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
