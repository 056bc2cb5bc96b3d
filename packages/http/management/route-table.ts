export interface Route {
  /** `POST` */
  method: string
  /** `/api/v1/me/keys/:key_id` */
  path: string
}

/** Which methods each path has: what a router does not tell, and a 405 must (RFC 9110, section 15.5.6). */
export class RouteTable {
  readonly #methods = new Map<string, { pattern: RegExp; methods: Set<string> }>()

  add(method: string | string[], path: string): void {
    const entry = this.#methods.get(path) ?? { pattern: patternOf(path), methods: new Set() }
    for (const one of [method].flat()) entry.methods.add(one)
    this.#methods.set(path, entry)
  }

  get all(): Route[] {
    return [...this.#methods].flatMap(([path, { methods }]) =>
      [...methods].map((method) => ({ method, path })),
    )
  }

  /** The methods of the path of this URL; empty where there is no such path. */
  methodsAt(url: string): string[] {
    const path = url.split('?', 1)[0]!
    const found = new Set<string>()
    for (const { pattern, methods } of this.#methods.values()) {
      if (pattern.test(path)) for (const method of methods) found.add(method)
    }
    return [...found].sort()
  }
}

/** Route paths hold letters, digits, `/`, `-`, `_` and `:parameter` only. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:[a-z_]+/g, '[^/]+')}$`)
}
