import { markedUp } from '@turnpike/billing'
import { GatewayError } from '@turnpike/protocol'
import type { CatalogModel } from '@turnpike/vendors'
import type { Exchange } from './exchange.ts'
import type { Gateway } from './gateway.ts'
import { authenticate } from './steps/authenticate.ts'

/** `GET /v1/models`: every model that can be called, with the caller's prices (contract, section 5). */
export async function listModels(exchange: Exchange, gateway: Gateway): Promise<void> {
  await authenticate({ exchange }, gateway)
  respondJson(exchange, { object: 'list', data: describedModels(gateway) })
}

/** Every model that can be called, as `GET /v1/models` tells of it. */
export function describedModels(gateway: Pick<Gateway, 'catalog' | 'prices'>): object[] {
  return gateway.catalog.models
    .map((model) => describe(model, gateway))
    .filter((entry) => entry !== undefined)
}

/** `GET /v1/models/{id}`, where the id holds a slash, as it is or escaped. */
export async function describeModel(exchange: Exchange, gateway: Gateway): Promise<void> {
  await authenticate({ exchange }, gateway)
  const entry = describe(gateway.catalog.resolve(modelName(exchange.path)), gateway)
  if (entry === undefined)
    throw new GatewayError('not_found_error', 'The model has no price and cannot be called.')
  respondJson(exchange, entry)
}

function modelName(path: string): string {
  const text = path.slice('/v1/models/'.length)
  try {
    return decodeURIComponent(text)
  } catch {
    // Not a valid escape: then the text is no model's name either, and the look-up says so.
    return text
  }
}

function describe(model: CatalogModel, gateway: Pick<Gateway, 'catalog' | 'prices'>): object | undefined {
  const prices = gateway.prices.get(model.id)
  if (prices === undefined) return undefined
  return {
    id: model.id,
    object: 'model',
    created: model.created,
    owned_by: model.ownedBy,
    name: model.name,
    context_length: model.contextLength,
    max_output_tokens: model.maxOutputTokens,
    pricing: markedUp(prices),
    limits: { requests_per_minute: null, input_tokens_per_minute: null, output_tokens_per_minute: null },
    modalities: model.modalities,
    supported_parameters: model.supportedParameters,
    tiers: model.tiers,
  }
}

function respondJson(exchange: Exchange, body: object): void {
  exchange.respond(200, { 'content-type': 'application/json' }, JSON.stringify(body))
}
