import { GatewayError, invalidRequest } from '@turnpike/protocol'
import type { CatalogModel } from '@turnpike/vendors'
import type { Parsed, Routed } from '../context.ts'
import type { Gateway } from '../gateway.ts'

/**
 * The model that the caller named, its price, and the upstream that serves it.
 * @throws {GatewayError} 404 unknown, 403 not on the key's list, 503 unpriced or without an upstream
 */
export function chooseModel(request: Parsed, gateway: Gateway): Routed {
  const { chat, key } = request
  if (chat.fallbackModels.length > 0) {
    throw invalidRequest(
      'models',
      'models: fallback models are not available yet; send one model in "model".',
    )
  }
  const model = gateway.catalog.resolve(chat.request.model)
  if (key.allowedModels !== null && !mayUse(key.allowedModels, model, chat.request.model)) {
    throw new GatewayError('permission_error', `This API key may not use the model "${model.id}".`, {
      param: 'model',
    })
  }
  const prices = gateway.prices.get(model.id)
  if (prices === undefined) {
    const message = `The model "${model.id}" has no price and cannot be called until the operator sets one.`
    throw new GatewayError('service_unavailable', message, { param: 'model' })
  }
  const upstream = model.upstreams[0]
  const provider = upstream === undefined ? undefined : gateway.providers.get(upstream.provider)
  if (upstream === undefined || provider === undefined) {
    throw new GatewayError('service_unavailable', `No upstream serves the model "${model.id}" at the moment.`)
  }
  const { record } = request
  record.priceVersion = prices.version
  record.pricing = prices.pricing
  return Object.assign(request, { model, prices, upstream, provider })
}

/** A list may hold the model, or the very version that is asked for: then no other one of its versions. */
function mayUse(allowed: ReadonlySet<string>, model: CatalogModel, asked: string): boolean {
  const provider = model.id.slice(0, model.id.indexOf('/') + 1)
  return allowed.has(model.id) || allowed.has(asked) || allowed.has(provider + asked)
}
