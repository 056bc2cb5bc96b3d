import { GatewayError } from '@turnpike/protocol'
import type { CatalogModel } from './model.ts'

/** A model that a name refers to, and the version to request from the provider, if it is another one. */
interface NamedModel {
  model: CatalogModel
  /** Undefined: the model itself. */
  version?: string
}

/** What may follow the name of a dated model. */
const date = /-(\d{8}|\d{4}-\d{2}-\d{2})$/

/** The models that callers may name. Immutable: a change creates a new catalog. */
export class Catalog {
  readonly models: readonly CatalogModel[]
  /** The operator's own names, with or without a provider, by target: a model, or `turnpike/auto`. */
  readonly aliases: ReadonlyMap<string, string>
  readonly #byId = new Map<string, CatalogModel>()
  /** By identifiers and aliases, with the provider. */
  readonly #byName = new Map<string, NamedModel>()
  /** By the part after the provider; undefined if several providers have a model of that name. */
  readonly #byBareId = new Map<string, NamedModel | undefined>()
  readonly #byBareAlias = new Map<string, NamedModel | undefined>()

  constructor(models: readonly CatalogModel[], aliases: ReadonlyMap<string, string> = new Map()) {
    this.aliases = aliases
    this.models = models.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    for (const model of models) {
      this.#byId.set(model.id, model)
      this.#byName.set(model.id, { model })
      addUnique(this.#byBareId, afterProvider(model.id), { model })
    }
    // After all identifiers: a model's own name takes precedence over another model's alias.
    for (const model of models) this.#addAliases(model)
  }

  find(id: string): CatalogModel | undefined {
    return this.#byId.get(id)
  }

  /**
   * Resolves an alias; returns any other name unchanged. An alias takes precedence over a model's bare name,
   * and may be followed by a date: `claude-haiku-4-5-20251001` is an alias if `claude-haiku-4-5` is one.
   */
  resolveAlias(name: string): string {
    if (this.aliases.size === 0) return name
    return this.aliases.get(name) ?? this.aliases.get(name.replace(date, '')) ?? name
  }

  /** Like `resolve`, but undefined for a name that no model has, or that several have. */
  lookUp(name: string): CatalogModel | undefined {
    const target = this.resolveAlias(name)
    const named = this.#findNamed(target) ?? this.#findDated(target)
    return named?.version === undefined ? named?.model : withVersion(named.model, named.version)
  }

  /**
   * The model of a name: an operator's alias, `<provider>/<model_id>`, or a bare id if it is unique. A
   * vendor's further name resolves to the same model at the same prices, with an upstream that requests the
   * named version.
   * @param param the caller's field that contains the name
   * @throws {GatewayError} 404 for a name that no model has, or that several have
   */
  resolve(name: string, param = 'model'): CatalogModel {
    const model = this.lookUp(name)
    if (model !== undefined) return model
    const target = this.resolveAlias(name)
    const candidates = this.models.filter((one) => one.id.endsWith(`/${target}`)).map((one) => one.id)
    const hint =
      target !== name
        ? `It is an alias of "${target}", which is not available at the moment.`
        : candidates.length > 0
          ? `Several providers have it. Use one of ${candidates.slice(0, 5).join(', ')}.`
          : 'GET /v1/models lists the available models.'
    throw new GatewayError('not_found_error', `The model "${shortenName(name)}" does not exist. ${hint}`, {
      param,
    })
  }

  #findNamed(name: string): NamedModel | undefined {
    const named = this.#byName.get(name)
    if (named !== undefined) return named
    return this.#byBareId.has(name) ? this.#byBareId.get(name) : this.#byBareAlias.get(name)
  }

  /** A dated version of a model whose dated versions all have its prices. */
  #findDated(name: string): NamedModel | undefined {
    const suffix = date.exec(name)?.[0]
    if (suffix === undefined) return undefined
    const named = this.#findNamed(name.slice(0, -suffix.length))
    if (named?.model.dated !== true) return undefined
    return { model: named.model, version: (named.version ?? afterProvider(named.model.id)) + suffix }
  }

  #addAliases(model: CatalogModel): void {
    const provider = model.id.slice(0, model.id.indexOf('/') + 1)
    for (const [alias, version] of Object.entries(model.aliases ?? {})) {
      const named = version === afterProvider(model.id) ? { model } : { model, version }
      if (!this.#byName.has(provider + alias)) this.#byName.set(provider + alias, named)
      addUnique(this.#byBareAlias, alias, named)
    }
  }
}

function addUnique(names: Map<string, NamedModel | undefined>, name: string, named: NamedModel): void {
  names.set(name, names.has(name) ? undefined : named)
}

function afterProvider(id: string): string {
  return id.slice(id.indexOf('/') + 1)
}

/**
 * Only upstreams that serve the model under its own name also have its versions: a name that the operator
 * configured is used unchanged.
 */
function withVersion(model: CatalogModel, version: string): CatalogModel {
  const own = afterProvider(model.id)
  const upstreams = model.upstreams.map((one) =>
    one.model === own ? { ...one, model: version, versionOf: own } : one,
  )
  return { ...model, upstreams }
}

function shortenName(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}…` : name
}
