import { isFields } from './request.ts'

type Schema = Record<string, unknown>

/** Bounds for schemas that refer to themselves. */
const deepest = 24
const mostValues = 2000

/**
 * A small value that satisfies a simple JSON Schema: types, enum, const, references, the first of any
 * alternatives, bounds of numbers, lengths and item counts, common formats. Objects get their required
 * members, or all members if none is required. `pattern`, `not` and `if` are not supported.
 */
export function schemaValue(schema: unknown): unknown {
  const budget = { left: mostValues }
  return valueOf(schema, { root: schema, depth: 0, budget })
}

interface Context {
  root: unknown
  depth: number
  budget: { left: number }
}

function valueOf(given: unknown, context: Context): unknown {
  if (!isFields(given) || context.depth > deepest || --context.budget.left < 0) return null
  const inner = { ...context, depth: context.depth + 1 }
  if (typeof given.$ref === 'string') return valueOf(resolve(context.root, given.$ref), inner)
  if ('const' in given) return given.const
  if (Array.isArray(given.enum)) return given.enum[0]
  const alternatives = given.anyOf ?? given.oneOf
  if (Array.isArray(alternatives)) return valueOf(alternatives[0], inner)
  const schema = Array.isArray(given.allOf) ? mergeSchemas(given, given.allOf, context.root) : given
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, inner)
    case 'array':
      return arrayOf(schema, inner)
    case 'integer':
      return Math.ceil(numberOf(schema, 1))
    case 'number':
      return numberOf(schema, 0.5)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return stringOf(schema)
  }
}

function typeOf(schema: Schema): unknown {
  if (Array.isArray(schema.type)) return schema.type[0]
  if (schema.type !== undefined) return schema.type
  if (isFields(schema.properties)) return 'object'
  return 'items' in schema || 'prefixItems' in schema ? 'array' : 'string'
}

function resolve(root: unknown, reference: string): unknown {
  let at: unknown = root
  for (const segment of reference.split('/').slice(1)) {
    if (!isFields(at)) return undefined
    at = at[segment.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return at
}

/** Merges schemas into one: members and required names. */
function mergeSchemas(schema: Schema, parts: unknown[], root: unknown): Schema {
  const all = [schema, ...parts].map((part) =>
    isFields(part) && typeof part.$ref === 'string' ? resolve(root, part.$ref) : part,
  )
  const result: Schema = {}
  const properties: Schema = {}
  const required: unknown[] = []
  for (const part of all) {
    if (!isFields(part)) continue
    Object.assign(result, part)
    if (isFields(part.properties)) Object.assign(properties, part.properties)
    if (Array.isArray(part.required)) required.push(...(part.required as unknown[]))
  }
  return Object.keys(properties).length > 0 ? { ...result, properties, required } : result
}

function objectOf(schema: Schema, context: Context): Schema {
  const properties = isFields(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const result: Schema = {}
  for (const name of required.length > 0 ? required : Object.keys(properties))
    Object.defineProperty(result, name, {
      value: valueOf(properties[name] ?? {}, context),
      enumerable: true,
    })
  return result
}

function arrayOf(schema: Schema, context: Context): unknown[] {
  const prefix: unknown[] = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
  const most = boundOf(schema.maxItems) ?? Infinity
  const least = Math.max(prefix.length, boundOf(schema.minItems) ?? 1)
  const length = Math.min(least, most, mostValues)
  return Array.from({ length }, (_, index) => valueOf(prefix[index] ?? schema.items ?? {}, context))
}

function numberOf(schema: Schema, margin: number): number {
  const least = boundOf(schema.minimum)
  const above = boundOf(schema.exclusiveMinimum)
  const most = boundOf(schema.maximum)
  const below = boundOf(schema.exclusiveMaximum)
  let value = Math.min(1, most ?? 1, below === undefined ? 1 : below - margin)
  if (least !== undefined) value = Math.max(value, least)
  if (above !== undefined && value <= above) value = above + margin
  const step = boundOf(schema.multipleOf)
  return step === undefined || step <= 0 ? value : Math.ceil(value / step) * step
}

const formats: Record<string, string> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'PT1S',
  email: 'sandbox@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

function stringOf(schema: Schema): string {
  const known = typeof schema.format === 'string' ? formats[schema.format] : undefined
  if (known !== undefined) return known
  const least = Math.min(boundOf(schema.minLength) ?? 0, mostValues)
  const most = boundOf(schema.maxLength) ?? Infinity
  return 'sandbox'.padEnd(least, '.').slice(0, most)
}

function boundOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
