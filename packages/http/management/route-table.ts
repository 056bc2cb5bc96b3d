export interface Route {
  /** `POST` */
  method: string
  /** `/api/v1/me/keys/:key_id` */
  path: string
}

/** The methods of each path: routers do not report them, but a 405 must (RFC 9110, section 15.5.6). */
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

  /** The methods of this URL's path; empty if the path does not exist. */
  methodsAt(url: string): string[] {
    const path = url.split('?', 1)[0]!
    const found = new Set<string>()
    for (const { pattern, methods } of this.#methods.values()) {
      if (pattern.test(path)) for (const method of methods) found.add(method)
    }
    return [...found].sort()
  }
}

/** Paths of routes contain only letters, digits, `/`, `-`, `_` and `:parameter`. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:[a-z_]+/g, '[^/]+')}$`)
}
