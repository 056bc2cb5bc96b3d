/** A JSON Schema, or part of one. */
type Schema = Record<string, unknown>

/** Keywords that the vendor's structured output accepts unchanged, for any type. */
const plainKeywords = new Set(['type', 'description', 'title', 'enum', 'const', 'default', 'required'])

/** https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations */
const stringFormats: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
])

/**
 * A schema as the vendor's structured output accepts it. Objects allow no additional properties. What the
 * vendor refuses (bounds, patterns, rarer formats) is written into the description instead, as the vendor's
 * own SDKs do (`transformJSONSchema`).
 */
export function answerSchema(schema: unknown, description?: string): unknown {
  if (!isSchema(schema)) return schema
  if (schema['$ref'] !== undefined) return { $ref: schema['$ref'] }
  const taken: Schema = {}
  const described: Schema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (plainKeywords.has(keyword)) taken[keyword] = value
    else if (keyword === '$defs' || keyword === 'definitions' || keyword === 'properties')
      taken[keyword] = mapped(value)
    else if (keyword === 'items') taken[keyword] = answerSchema(value)
    else if (keyword === 'anyOf' || keyword === 'allOf') taken[keyword] = listed(value)
    // `anyOf` replaces `oneOf`, since each alternative describes itself.
    else if (keyword === 'oneOf') taken['anyOf'] = listed(value)
    else if (keyword === 'format' && stringFormats.has(value)) taken[keyword] = value
    else if (keyword === 'minItems' && (value === 0 || value === 1)) taken[keyword] = value
    else if (keyword !== 'additionalProperties' && keyword !== '$schema') described[keyword] = value
  }
  if (takesObjects(taken)) taken['additionalProperties'] = false
  const texts: unknown[] = [taken['description'] ?? description, constraints(described)]
  const parts = texts.filter((text) => typeof text === 'string').filter((text) => text !== '')
  return parts.length === 0 ? taken : { ...taken, description: parts.join('\n\n') }
}

function takesObjects({ type, properties }: Schema): boolean {
  return type === 'object' || properties !== undefined || (Array.isArray(type) && type.includes('object'))
}

function constraints(keywords: Schema): string {
  const lines = Object.entries(keywords).map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`)
  return lines.length === 0 ? '' : `Must hold: ${lines.join(', ')}`
}

function mapped(value: unknown): unknown {
  if (!isSchema(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, answerSchema(schema)]))
}

function listed(value: unknown): unknown {
  return Array.isArray(value) ? value.map((schema) => answerSchema(schema)) : value
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
