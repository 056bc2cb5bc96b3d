import { sandboxModels } from '@turnpike/simulators'
import { Catalog, catalogModel, readVendorData } from '@turnpike/vendors'
import { knownNames, sandboxName, vendorOf } from './known-providers.ts'
import type { Path } from './mistake.ts'
import { nearest } from './nearest.ts'
import type { ConfigurationInput } from './schema.ts'

/** What is wrong with the models that others fall back to. */
export function* findWrongFallbacks(input: ConfigurationInput): Generator<{ path: Path; message: string }> {
  const known = new KnownModels(input)
  for (const [id, { fallbacks = [] }] of Object.entries(input.models ?? {})) {
    for (const [index, fallback] of fallbacks.entries()) {
      const path = ['models', id, 'fallbacks', index]
      if (fallback === id) yield { path, message: 'a model cannot fall back to itself' }
      else if (fallbacks.indexOf(fallback) < index) yield { path, message: `"${fallback}" is there twice` }
      else if (!known.has(fallback)) yield { path, message: known.unknown(fallback) }
    }
  }
}

/** The models that there are by the configuration, and by what is known of its vendors. */
class KnownModels {
  readonly #input: ConfigurationInput
  readonly #catalogs = new Map<string, Catalog>()

  constructor(input: ConfigurationInput) {
    this.#input = input
  }

  has(name: string): boolean {
    return this.#input.models?.[name] !== undefined || this.#of(providerOf(name)).lookUp(name) !== undefined
  }

  unknown(name: string): string {
    const provider = providerOf(name)
    const providers = Object.keys(this.#input.providers ?? {})
    if (!providers.includes(provider) && !knownNames.includes(provider)) {
      const near = nearest(provider, [...providers, ...knownNames])
      return `there is no provider "${provider}"${near === undefined ? '' : `; did you mean "${near}"?`}`
    }
    const there = this.#of(provider).models.map(({ id }) => id)
    const near = nearest(name, [...Object.keys(this.#input.models ?? {}), ...there])
    return `there is no model "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`
  }

  /** A provider's models as they are packaged; prices, and with them the time, do not matter here. */
  #of(provider: string): Catalog {
    let catalog = this.#catalogs.get(provider)
    if (catalog === undefined) {
      catalog = new Catalog(this.#modelsOf(provider))
      this.#catalogs.set(provider, catalog)
    }
    return catalog
  }

  #modelsOf(provider: string) {
    const input = this.#input.providers?.[provider]
    if (input === false) return []
    if (provider === sandboxName) return sandboxModels
    const vendor = vendorOf(provider, input ?? {})
    const data = vendor === undefined ? undefined : readVendorData(vendor.name)
    return data?.models.map((model) => catalogModel(model, provider, vendor!.name, 0)) ?? []
  }
}

function providerOf(name: string): string {
  return name.slice(0, name.indexOf('/'))
}
