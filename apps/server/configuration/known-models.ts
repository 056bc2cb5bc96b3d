import { sandboxModels } from '@turnpike/simulators'
import { Catalog, catalogModel, readVendorData } from '@turnpike/vendors'
import { knownNames, sandboxName, vendorOf } from './known-providers.ts'
import { nearest } from './mistakes/nearest.ts'
import type { ConfigurationInput } from './schema/schema.ts'

/** The models that exist according to the configuration and to the data of its vendors. */
export class KnownModels {
  readonly #input: ConfigurationInput
  readonly #catalogs = new Map<string, Catalog>()

  constructor(input: ConfigurationInput) {
    this.#input = input
  }

  has(name: string): boolean {
    return this.#input.models?.[name] !== undefined || this.#of(providerOf(name)).lookUp(name) !== undefined
  }

  /** Whether the model serves embeddings and nothing else. */
  hasVectors(name: string): boolean {
    const { operations = this.#of(providerOf(name)).lookUp(name)?.operations } =
      this.#input.models?.[name] ?? {}
    return operations !== undefined && operations.every((operation) => operation === 'embed')
  }

  /** Whether this is a model of a provider that is configured, or that the environment may configure. */
  isServed(name: string): boolean {
    const provider = providerOf(name)
    const { providers } = this.#input
    if (providers !== undefined && provider !== sandboxName && providers[provider] === undefined) return false
    return this.#of(provider).find(name) !== undefined
  }

  /** The message for a name that no model has. */
  unknown(name: string): string {
    const provider = providerOf(name)
    const providers = Object.keys(this.#input.providers ?? {})
    if (!providers.includes(provider) && !knownNames.includes(provider)) {
      const near = nearest(provider, [...providers, ...knownNames])
      return `unknown provider "${provider}"${near === undefined ? '' : `; did you mean "${near}"?`}`
    }
    const there = this.#of(provider).models.map(({ id }) => id)
    const near = nearest(name, [...Object.keys(this.#input.models ?? {}), ...there])
    return `unknown model "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`
  }

  /** A provider's packaged models. Their prices do not matter here, and so neither does the time. */
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
