import type { JsonSchema } from './document-types.ts'

/** Schemas with a title; the document defines each once, under its title. */
export type NamedSchemas = Record<string, JsonSchema>

/**
 * Converts one of our schemas for readers: the wording of its validation error becomes its description,
 * unless it has one, and a schema with a title becomes a reference.
 */
export function publishedSchema(schema: object, named: NamedSchemas): JsonSchema {
  const { 'x-expected': expected, expected: expectedValue, title, ...rest } = schema as JsonSchema
  const published: JsonSchema = { ...rest }
  const expectation = expected ?? expectedValue
  if (typeof expectation === 'string') published['description'] ??= sentence(expectation)
  for (const keyword of ['items', 'additionalProperties']) {
    if (isSchema(rest[keyword])) published[keyword] = publishedSchema(rest[keyword], named)
  }
  if (isSchema(rest['properties'])) {
    const properties = Object.entries(rest['properties'] as Record<string, JsonSchema>)
    published['properties'] = Object.fromEntries(
      properties.map(([name, property]) => [name, publishedSchema(property, named)]),
    )
  }
  if (Array.isArray(rest['anyOf'])) {
    published['anyOf'] = rest['anyOf'].map((one: JsonSchema) => publishedSchema(one, named))
  }
  return typeof title === 'string' ? reference(title, { ...published }, named) : published
}

function reference(title: string, schema: JsonSchema, named: NamedSchemas): JsonSchema {
  const known = named[title]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`two schemas have the title ${title}`)
  named[title] = schema
  return { $ref: `#/components/schemas/${title}` }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `an amount of USD,` becomes "An amount of USD." */
function sentence(expected: string): string {
  const text = expected.replace(/,$/, '')
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}
