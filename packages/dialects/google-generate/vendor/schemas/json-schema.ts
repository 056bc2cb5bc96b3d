import { invalidRequest } from '@turnpike/protocol'
import { isObject } from '../../../json/object.ts'
import { plainSchema, type Schema } from './keywords.ts'
import { SchemaReferences } from './references.ts'

/** A schema may grow when its references are replaced. Beyond this it is refused. */
const maxSchemas = 20_000
/** The limit for all schemas of a request together: it may have many tools, each of which could grow. */
const maxOfRequest = 40_000
const maxDepth = 100

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const schemaKeywords = new Set([
  'items',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const listKeywords = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const mapKeywords = new Set(['properties', 'patternProperties', 'dependentSchemas'])
/** Definitions are inserted where they are referred to; the other keywords mean nothing to a model. */
const leftOut = new Set(['$defs', 'definitions', '$schema', '$comment'])

/**
 * Converts a JSON Schema for `parametersJsonSchema` and `responseJsonSchema`. The older `parameters` and
 * `responseSchema` accept only a subset of OpenAPI's schemas and refuse any other keyword. JSON Schema is
 * accepted unchanged, and Google ignores what it does not know. So only what Google is known to refuse or
 * misread is rewritten; nothing is left out.
 * @param path of the schema in the caller's request, for errors
 * @param room shared with other schemas of the request
 * @throws {GatewayError} 400 if a reference points to nothing, or the schema is too large without references
 */
export function googleSchema(schema: unknown, path: string, room: SchemaRoom = schemaRoom()): unknown {
  const references = new SchemaReferences(schema, path)
  const rewriter = new Rewriter(references, path, room)
  const rewritten = rewriter.rewrite(schema, ['#'], 0)
  const definitions = references.definitions((one, reference) => rewriter.rewrite(one, [reference], 0))
  return definitions !== undefined && isObject(rewritten) ? { ...rewritten, $defs: definitions } : rewritten
}

/** How many more nested schemas a request may have. */
export interface SchemaRoom {
  left: number
}

export function schemaRoom(): SchemaRoom {
  return { left: maxOfRequest }
}

class Rewriter {
  readonly #references: SchemaReferences
  readonly #path: string
  readonly #room: SchemaRoom
  #schemas = 0

  constructor(references: SchemaReferences, path: string, room: SchemaRoom) {
    this.#references = references
    this.#path = path
    this.#room = room
  }

  /** @param within the references that led here, to detect circular ones */
  rewrite(schema: unknown, within: readonly string[], depth: number): unknown {
    if (schema === true) return {}
    if (!isObject(schema)) return schema
    if (++this.#schemas > maxSchemas || --this.#room.left < 0 || depth > maxDepth) {
      throw invalidRequest(
        this.#path,
        `${this.#path}: the schema is too large once its references are resolved.`,
      )
    }
    const { $ref: reference, ...beside } = schema
    if (typeof reference !== 'string') return this.#keywords(schema, within, depth)
    if (within.includes(reference)) return this.#references.keep(reference)
    const named = this.#references.resolve(reference)
    const merged = isObject(named) ? { ...named, ...beside } : named
    return this.rewrite(merged, [...within, reference], depth + 1)
  }

  #keywords(schema: Schema, within: readonly string[], depth: number): unknown {
    const inner = (one: unknown): unknown => this.rewrite(one, within, depth + 1)
    const entries: [string, unknown][] = []
    for (const [keyword, value] of Object.entries(schema)) {
      if (leftOut.has(keyword)) continue
      if (listKeywords.has(keyword) && Array.isArray(value)) entries.push([keyword, value.map(inner)])
      else if (mapKeywords.has(keyword) && isObject(value)) {
        entries.push([
          keyword,
          Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)])),
        ])
      } else if (keyword === 'items' && Array.isArray(value)) {
        // A tuple, as older drafts write it.
        entries.push(['prefixItems', value.map(inner)])
      } else if (keyword === 'additionalProperties' && value === true) entries.push([keyword, value])
      else entries.push([keyword, schemaKeywords.has(keyword) ? inner(value) : value])
    }
    return plainSchema(Object.fromEntries(entries))
  }
}
