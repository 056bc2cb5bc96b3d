import { invalidRequest } from '@turnpike/protocol'
import { parseJson } from '../json/parse-json.ts'

/** A tool call's arguments for vendors that take them as an object. Empty text means no arguments. */
export function toolArguments(text: string, field: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw invalidRequest(field, `${field}: expected a JSON object as a string.`)
}
