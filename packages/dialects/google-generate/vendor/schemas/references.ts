import { invalidRequest } from '@turnpike/protocol'
import { isObject } from '../../../json/object.ts'

/**
 * The references of one schema. They are replaced by what they refer to, since Google accepts nothing beside
 * a `$ref` (https://ai.google.dev/api/generate-content#GenerationConfig, `responseJsonSchema`), but most
 * schemas have a description there. Only circular references stay, together with their definitions.
 */
export class SchemaReferences {
  readonly #root: unknown
  readonly #path: string
  /** Names under which definitions are kept, by the references to them. */
  readonly #kept = new Map<string, string>()

  /** @param path of the schema in the caller's request, for errors */
  constructor(root: unknown, path: string) {
    this.#root = root
    this.#path = path
  }

  /**
   * The value that a reference within the schema refers to.
   * @throws {GatewayError} 400 if there is none
   */
  resolve(reference: string): unknown {
    let found: unknown = this.#root
    if (reference !== '#') {
      const steps = reference.startsWith('#/') ? reference.slice(2).split('/').map(decodeStep) : ['']
      for (const step of steps) found = hasOwn(found, step) ? found[step] : undefined
    }
    if (found !== undefined) return found
    const message = `${this.#path}: its reference ${reference.slice(0, 200)} points to nothing in the schema.`
    throw invalidRequest(this.#path, message)
  }

  /** Keeps a reference, to a definition of the returned name. */
  keep(reference: string): { $ref: string } {
    let name = this.#kept.get(reference)
    if (name === undefined) {
      const taken = new Set(this.#kept.values())
      const preferred = reference.split('/').at(-1)!.replaceAll(/\W/g, '_')
      name = preferred
      for (let number = 2; taken.has(name); number++) name = `${preferred}_${number}`
      this.#kept.set(reference, name)
    }
    return { $ref: `#/$defs/${name}` }
  }

  /** The definitions for the kept references; undefined if there are none. */
  definitions(rewrite: (schema: unknown, reference: string) => unknown): Record<string, unknown> | undefined {
    const definitions: [string, unknown][] = []
    // Rewriting one may keep further references, so the map grows during this loop.
    for (const [reference, name] of this.#kept) {
      definitions.push([name, rewrite(this.resolve(reference), reference)])
    }
    return definitions.length === 0 ? undefined : Object.fromEntries(definitions)
  }
}

/** https://www.rfc-editor.org/rfc/rfc6901#section-4, within a URI's fragment. */
function decodeStep(step: string): string {
  return percentDecoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
}

function percentDecoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    // A lone percent sign: the name is used as it is.
    return step
  }
}

function hasOwn(value: unknown, step: string): value is Record<string, unknown> {
  return (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, step)
}
