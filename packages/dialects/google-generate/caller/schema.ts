/** Members that hold schemas by names of the caller's own. */
const maps: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'patternProperties'])
/** Members that hold schemas, or lists of them. */
const inner: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'additionalProperties',
])
/** Numbers that Google's schemas write as texts, since they have 64 bits. */
const counts: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
])
/** Of Google's schemas alone, and without a meaning for others. */
const own: ReadonlySet<string> = new Set(['propertyOrdering', 'property_ordering', 'example'])

/**
 * A schema in Google's words, types in capitals and `nullable`, as JSON Schema
 * (https://ai.google.dev/api/caching#Schema). One that is JSON Schema already stays so, but for its types.
 */
export function jsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(jsonSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const said: [string, unknown][] = []
  let nullable = false
  for (const [name, value] of Object.entries(schema)) {
    if (own.has(name)) continue
    if (name === 'nullable') nullable = value === true
    else if (name === 'any_of') said.push(['anyOf', jsonSchema(value)])
    else said.push([name, memberOf(name, value)])
  }
  const whole = Object.fromEntries(said)
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
