import { object, text, type Json } from '../oracle/json.ts'

/** Google accepts field names in two cases, types in capitals, and a schema under several names. */

/** The JSON Schema of a function's arguments. */
export function schemaOf(declaration: Json): unknown {
  const { parameters, parametersJsonSchema, parameters_json_schema } = declaration
  return lowerTypes(parametersJsonSchema ?? parameters_json_schema ?? parameters)
}

/** A part's media; undefined if it has none. */
export function mediaOf(part: Json): { mimeType: string; data: string } | undefined {
  const media = part['inlineData'] ?? part['inline_data']
  if (media === undefined) return undefined
  const { mimeType, mime_type, data } = object(media)
  return { mimeType: text(mimeType ?? mime_type), data: text(data) }
}

function lowerTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerTypes)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] =>
    name === 'type' && typeof inner === 'string' ? [name, inner.toLowerCase()] : [name, lowerTypes(inner)],
  )
  return Object.fromEntries(entries)
}
