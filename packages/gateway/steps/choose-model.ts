import { GatewayError } from '@turnpike/protocol'
import type { KnownKey } from '@turnpike/identity'
import type { CatalogModel } from '@turnpike/vendors'
import type { Candidate } from '../candidates.ts'
import type { Parsed, Routed } from '../context.ts'
import type { Gateway } from '../gateway.ts'

/**
 * Whom the request may be sent to: the model that the caller named, then those that it named in `models` or,
 * where it named none, the model's configured fallbacks.
 * @throws {GatewayError} 404 unknown, 403 not on the key's list, 503 unpriced or without an upstream
 */
export function chooseModel(request: Parsed, gateway: Gateway): Routed {
  const { chat, key } = request
  const asked = permitted(chat.request.model, 'model', key, gateway)
  const further =
    chat.fallbackModels.length > 0
      ? chat.fallbackModels.map((name, index) => permitted(name, `models[${index}]`, key, gateway))
      : configuredFallbacks(asked, key, gateway)
  const candidates =
    further.length === 0 ? gateway.candidates.of(asked) : candidatesOf([asked, ...further], gateway)
  const [first] = candidates
  if (first === undefined) throw notServed(asked, gateway)
  return Object.assign(request, first, { candidates })
}

function permitted(name: string, param: string, key: KnownKey, { catalog }: Gateway): CatalogModel {
  const model = catalog.resolve(name, param)
  if (!mayUse(key, model, name)) {
    const message = `This API key may not use the model "${model.id}".`
    throw new GatewayError('permission_error', message, { param })
  }
  return model
}

/** What the operator chose for all callers is left out where it is not this one's. */
function configuredFallbacks(asked: CatalogModel, key: KnownKey, { catalog }: Gateway): CatalogModel[] {
  if (asked.fallbacks.length === 0) return []
  return asked.fallbacks.flatMap((name) => {
    const model = catalog.lookUp(name)
    return model === undefined || !mayUse(key, model, name) ? [] : [model]
  })
}

function candidatesOf(models: readonly CatalogModel[], { candidates }: Gateway): Candidate[] {
  return different(models.flatMap((model) => candidates.of(model)))
}

/** Who serves several of the models is asked once: as whose model it comes first. */
function different(candidates: readonly Candidate[]): Candidate[] {
  const asked = new Set<string>()
  return candidates.filter(({ provider, upstream, health }) => {
    const name = `${provider.name} ${health.ofKey.key} ${upstream.model}`
    return asked.size < asked.add(name).size
  })
}

function notServed(asked: CatalogModel, { prices }: Gateway): GatewayError {
  if (prices.has(asked.id))
    return new GatewayError(
      'service_unavailable',
      `No upstream serves the model "${asked.id}" at the moment.`,
    )
  const message = `The model "${asked.id}" has no price and cannot be called until the operator sets one.`
  return new GatewayError('service_unavailable', message, { param: 'model' })
}

/** A list may hold the model, or the very version that is asked for: then no other one of its versions. */
function mayUse({ allowedModels: allowed }: KnownKey, model: CatalogModel, asked: string): boolean {
  if (allowed === null) return true
  const provider = model.id.slice(0, model.id.indexOf('/') + 1)
  return allowed.has(model.id) || allowed.has(asked) || allowed.has(provider + asked)
}
