import { invalidRequest } from '@turnpike/protocol'
import { isObject } from '../../../json/object.ts'
import { plainSchema, type Schema } from './keywords.ts'
import { SchemaReferences } from './references.ts'

/** A schema may grow where its references are replaced: beyond this it is refused. */
const maxSchemas = 20_000
/** All schemas of a request together: its tools are many, and each of them could grow so. */
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
/** Definitions are put where they are referred to; the others mean nothing to a model. */
const leftOut = new Set(['$defs', 'definitions', '$schema', '$comment'])

/**
 * A JSON Schema as `parametersJsonSchema` and `responseJsonSchema` take it. Those are used, and not the
 * older `parameters` and `responseSchema`, since these are a subset of OpenAPI's and refuse any keyword
 * beyond it, while JSON Schema is taken as it is and what Google does not know of it is not applied. So
 * only that is rewritten which Google is known to refuse or to misread, and it is said in other words,
 * never left out.
 * @param path of the schema in the caller's request, for errors
 * @param room that it shares with other schemas of the request
 * @throws {GatewayError} 400 where a reference leads nowhere, or the schema is too large without references
 */
export function googleSchema(schema: unknown, path: string, room: SchemaRoom = schemaRoom()): unknown {
  const references = new SchemaReferences(schema, path)
  const rewriter = new Rewriter(references, path, room)
  const rewritten = rewriter.rewrite(schema, ['#'], 0)
  const definitions = references.definitions((one, reference) => rewriter.rewrite(one, [reference], 0))
  return definitions !== undefined && isObject(rewritten) ? { ...rewritten, $defs: definitions } : rewritten
}

/** How many more schemas within schemas a request may have. */
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

  /** @param within the references that led here, so that one which comes back is seen */
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
