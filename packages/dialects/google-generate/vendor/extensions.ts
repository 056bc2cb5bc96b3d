import { invalidRequest } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { requestFields } from '../../requests/fields/field-table.ts'
import { omissions, UnsupportedField } from '../../requests/omissions.ts'

/** Google's own fields in a caller's request. */
export interface GoogleWords {
  safetySettings?: unknown[]
  cachedContent?: string
  thinkingConfig?: Record<string, unknown>
}

const namedFields: ReadonlySet<string> = new Set(requestFields)

/**
 * Google's own fields, as its compatible endpoints accept them from OpenAI's clients:
 * `extra_body.google.{safety_settings, cached_content, thinking_config}`
 * (https://ai.google.dev/gemini-api/docs/openai#extra-body), or the first two at the top level.
 * @throws {GatewayError} 400 for any other field that has no name in the field table
 */
export function googleWords(extensions: Record<string, unknown>): GoogleWords {
  const words: GoogleWords = {}
  const unknown: string[] = []
  for (const [name, value] of Object.entries(extensions)) {
    if (value === null || value === undefined || namedFields.has(name) || name === 'stream_options') continue
    if (name === 'extra_body') addExtraBody(words, value, unknown)
    else if (name === 'google') addGoogle(words, value, name, unknown)
    else if (name === 'safety_settings' || name === 'cached_content')
      addWord(words, name, value, { path: name, unknown })
    else unknown.push(name)
  }
  if (unknown.length > 0) throw unknownFields(unknown)
  return words
}

function addExtraBody(words: GoogleWords, extra: unknown, unknown: string[]): void {
  for (const [name, value] of Object.entries(objectAt(extra, 'extra_body'))) {
    if (name === 'google') addGoogle(words, value, 'extra_body.google', unknown)
    else unknown.push(`extra_body.${name}`)
  }
}

function addGoogle(words: GoogleWords, google: unknown, path: string, unknown: string[]): void {
  for (const [name, value] of Object.entries(objectAt(google, path))) {
    if (value !== null) addWord(words, name, value, { path: `${path}.${name}`, unknown })
  }
}

/** Where a field is, and the paths of unknown fields. */
interface Place {
  path: string
  unknown: string[]
}

function addWord(words: GoogleWords, name: string, value: unknown, { path, unknown }: Place): void {
  switch (name) {
    case 'safety_settings':
      if (!Array.isArray(value)) throw invalidRequest(path, `${path}: expected an array of safety settings.`)
      words.safetySettings = value as unknown[]
      return
    case 'cached_content':
      if (typeof value !== 'string')
        throw invalidRequest(path, `${path}: expected the name of a cached content.`)
      words.cachedContent = value
      return
    case 'thinking_config':
      words.thinkingConfig = thinkingConfig(objectAt(value, path), { path, unknown })
      return
    default:
      unknown.push(path)
  }
}

const thinkingFields: Record<string, string> = {
  include_thoughts: 'includeThoughts',
  thinking_budget: 'thinkingBudget',
  thinking_level: 'thinkingLevel',
}

function thinkingConfig(config: Record<string, unknown>, { path, unknown }: Place): Record<string, unknown> {
  const known: [string, unknown][] = []
  for (const [name, value] of Object.entries(config)) {
    if (Object.hasOwn(thinkingFields, name)) known.push([thinkingFields[name]!, value])
    else if (Object.values(thinkingFields).includes(name)) known.push([name, value])
    else unknown.push(`${path}.${name}`)
  }
  return Object.fromEntries(known)
}

function objectAt(value: unknown, path: string): Record<string, unknown> {
  if (isObject(value)) return value
  throw invalidRequest(path, `${path}: expected an object.`)
}

function unknownFields(paths: readonly string[]): Error {
  return new UnsupportedField(paths, `${paths[0]}: unknown field for Google's models.`, omissions.unknown)
}
