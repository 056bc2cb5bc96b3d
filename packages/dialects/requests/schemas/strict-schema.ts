import type { OutputFormat } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import type { VendorQuirks } from '../../vendor-quirks.ts'

/** Keywords that OpenAI's strict mode does not accept, or not in every schema. */
const refused = ['allOf', 'oneOf', 'not', 'if', 'then', 'else', 'patternProperties', 'propertyNames']
const furtherRefused = ['dependentRequired', 'dependentSchemas', 'unevaluatedProperties', 'contains']
const allRefused = [...refused, ...furtherRefused]

/**
 * Whether strict mode accepts this schema: an object, each object closed, and all properties required
 * (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas).
 */
export function isStrictSchema(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'object' && isStrict(schema)
}

/** Turns strict mode on if it accepts the schema. The model follows other schemas as well as it can. */
export function holdToSchema(
  output: OutputFormat | undefined,
  schemas: VendorQuirks['schemas'],
): OutputFormat | undefined {
  if (output?.type !== 'json-schema' || schemas !== 'strict') return output
  return isStrictSchema(output.schema) ? { ...output, strict: true } : output
}

function isStrict(schema: unknown): boolean {
  if (!isObject(schema)) return false
  for (const keyword of allRefused) if (schema[keyword] !== undefined) return false
  const { properties, items, anyOf, $defs: defs, definitions, type } = schema
  if (type === 'object' || properties !== undefined) {
    if (schema['additionalProperties'] !== false || !isObject(properties)) return false
    const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
    if (!Object.keys(properties).every((name) => required.includes(name))) return false
  }
  const below = [properties, defs, definitions].flatMap((held) => (isObject(held) ? Object.values(held) : []))
  const options: unknown[] = Array.isArray(anyOf) ? anyOf : []
  return [...below, ...options, ...(items === undefined ? [] : [items])].every(isStrict)
}
