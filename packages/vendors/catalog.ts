import { GatewayError } from '@turnpike/protocol'
import type { CatalogModel } from './model.ts'

/** The models that callers may name. Immutable: a change makes a new catalog. */
export class Catalog {
  readonly models: readonly CatalogModel[]
  readonly #byId = new Map<string, CatalogModel>()
  /** By the part behind the provider; undefined where several providers have a model of that name. */
  readonly #byBareId = new Map<string, CatalogModel | undefined>()

  constructor(models: readonly CatalogModel[]) {
    this.models = models.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    for (const model of models) {
      this.#byId.set(model.id, model)
      const bareId = model.id.slice(model.id.indexOf('/') + 1)
      this.#byBareId.set(bareId, this.#byBareId.has(bareId) ? undefined : model)
    }
  }

  find(id: string): CatalogModel | undefined {
    return this.#byId.get(id)
  }

  /**
   * The model of this name: `<provider>/<model_id>`, or a bare id where it is unique.
   * @throws {GatewayError} 404 for a name that no model has, or that several have
   */
  resolve(name: string): CatalogModel {
    const model = this.#byId.get(name) ?? this.#byBareId.get(name)
    if (model !== undefined) return model
    const candidates = this.models.filter((one) => one.id.endsWith(`/${name}`)).map((one) => one.id)
    const hint =
      candidates.length > 0
        ? `Several providers have it: name one of ${candidates.slice(0, 5).join(', ')}.`
        : 'GET /v1/models lists the models there are.'
    throw new GatewayError('not_found_error', `The model "${shown(name)}" does not exist. ${hint}`, {
      param: 'model',
    })
  }
}

function shown(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}…` : name
}
