import type { JsonSchema } from '../document-types.ts'

/** An object with all of these members, in a response whose format others have defined. */
export function object(properties: Record<string, JsonSchema>, further: object = {}): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), ...further }
}
