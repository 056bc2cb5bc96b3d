import { parseJson } from './parse-json.ts'

export type JsonObject = Record<string, unknown>

/** True for what JSON calls an object: neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object of a JSON text; undefined where it is none, or no JSON. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}
