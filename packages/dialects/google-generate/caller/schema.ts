/** Members with schemas under names of the caller's own. */
const maps: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'patternProperties'])
/** Members with a schema, or a list of schemas. */
const inner: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'additionalProperties',
])
/** Numbers that Google's schemas write as strings, since they have 64 bits. */
const counts: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
])
/** Only in Google's schemas, and without a meaning for other vendors. */
const own: ReadonlySet<string> = new Set(['propertyOrdering', 'property_ordering', 'example'])

/**
 * Converts Google's schema, with upper-case types and `nullable`, to JSON Schema
 * (https://ai.google.dev/api/caching#Schema). One that already is JSON Schema stays unchanged, except for its
 * types.
 */
export function jsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(jsonSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries: [string, unknown][] = []
  let nullable = false
  for (const [name, value] of Object.entries(schema)) {
    if (own.has(name)) continue
    if (name === 'nullable') nullable = value === true
    else if (name === 'any_of') entries.push(['anyOf', jsonSchema(value)])
    else entries.push([name, memberOf(name, value)])
  }
  const whole = Object.fromEntries(entries)
  if (nullable && typeof whole['type'] === 'string') whole['type'] = [whole['type'], 'null']
  return whole
}

function memberOf(name: string, value: unknown): unknown {
  if (name === 'type') return typed(value)
  if (inner.has(name)) return jsonSchema(value)
  if (counts.has(name) && typeof value === 'string') return Number(value)
  if (!maps.has(name) || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, jsonSchema(one)]))
}

function typed(type: unknown): unknown {
  if (typeof type === 'string') return type.toLowerCase()
  return Array.isArray(type) ? type.map(typed) : type
}
