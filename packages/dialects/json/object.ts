import { parseJson } from './parse-json.ts'

export type JsonObject = Record<string, unknown>

/** True for a JSON object: not for a list, nor for null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses a JSON object. Undefined if the text is not an object, or not JSON. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}

export function withoutUndefined(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The value if it is a string, otherwise an empty one. */
export function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
