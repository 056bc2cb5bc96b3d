import { markedUp } from '@turnpike/billing'
import { firstTier } from '@turnpike/limits'
import { GatewayError } from '@turnpike/protocol'
import type { CatalogModel } from '@turnpike/vendors'
import { autoListings } from './auto/listing.ts'
import { autoModelOf, profileOf } from './auto/profile.ts'
import type { Authenticated } from './context.ts'
import type { Exchange } from './exchange.ts'
import type { Gateway } from './gateway.ts'
import { listedLimits, type LimitsOwner } from './model-limits.ts'
import { authenticate } from './steps/authenticate.ts'
import { limitRate } from './steps/limit-rate.ts'

type Listing = Pick<Gateway, 'auto' | 'catalog' | 'prices' | 'limiter'>

const newcomer: LimitsOwner = { tier: firstTier, lifetimeTopupPico: 0n }

/**
 * `GET /v1/models`: every model that can be called, with the caller's prices and limits (contract, section
 * 5).
 */
export async function listModels(exchange: Exchange, gateway: Gateway): Promise<void> {
  const { key } = await admit(exchange, gateway)
  respondJson(exchange, { object: 'list', data: describedModels(gateway, key) })
}

/**
 * Every model that can be called, as `GET /v1/models` tells of it.
 * @param owner whose limits; by default a new account's
 */
export function describedModels(gateway: Listing, owner = newcomer): object[] {
  const models = gateway.catalog.models
    .map((model) => describe(model, gateway, owner))
    .filter((entry) => entry !== undefined)
  return [...autoListings(gateway.auto), ...models]
}

/** `GET /v1/models/{id}`, where the id holds a slash, as it is or escaped. */
export async function describeModel(exchange: Exchange, gateway: Gateway): Promise<void> {
  const { key } = await admit(exchange, gateway)
  const name = modelName(exchange.path)
  const entry =
    autoListings(gateway.auto).find(({ id }) => id === autoName(name)) ??
    describe(gateway.catalog.resolve(name), gateway, key)
  if (entry === undefined)
    throw new GatewayError('not_found_error', 'The model has no price and cannot be called.')
  respondJson(exchange, entry)
}

async function admit(exchange: Exchange, gateway: Gateway): Promise<Authenticated> {
  const request = await authenticate({ exchange }, gateway)
  limitRate(request, gateway)
  return request
}

/** Auto-routing's whole name, where it is asked for by the bare one. */
function autoName(name: string): string {
  const profile = profileOf(name)
  return profile === undefined ? name : autoModelOf(profile)
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

function describe(model: CatalogModel, gateway: Listing, owner: LimitsOwner): object | undefined {
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
    limits: listedLimits(owner, model, gateway),
    modalities: model.modalities,
    supported_parameters: model.supportedParameters,
    tiers: model.tiers,
  }
}

function respondJson(exchange: Exchange, body: object): void {
  exchange.respond(200, { 'content-type': 'application/json' }, JSON.stringify(body))
}
