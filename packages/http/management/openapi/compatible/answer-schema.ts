import type { JsonSchema } from '../document-types.ts'

/** An object that has all of these members, of an answer whose format others made. */
export function object(properties: Record<string, JsonSchema>, further: object = {}): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), ...further }
}
