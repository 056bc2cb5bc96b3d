import { addMarkup } from '@turnpike/billing'
import { isGooglePath } from '@turnpike/dialects'
import type { KnownKey } from '@turnpike/identity'
import { firstTier } from '@turnpike/limits'
import { GatewayError } from '@turnpike/protocol'
import type { Catalog, CatalogModel } from '@turnpike/vendors'
import { autoModelOf, profileOf } from '../auto/profile.ts'
import { callableName, mayUse, notAllowed, type AllowedModels } from '../candidates/allowed-models.ts'
import type { Exchange } from '../context/exchange.ts'
import type { Gateway } from '../context/gateway.ts'
import { findKey, requireUsable } from '../steps/authenticate.ts'
import { anthropicModel, anthropicPage, isAnthropicClient, type ListedModel } from './anthropic-models.ts'
import { googleModel, googlePage, isGoogleClient } from './google-models.ts'
import { autoListings } from './auto-listing.ts'
import { compressList } from './compressed-list.ts'
import { describeLimits, type LimitsOwner } from './model-limits.ts'

type Listing = Pick<Gateway, 'auto' | 'catalog' | 'prices' | 'limiter'>

/**
 * The list depends on the key. Shared caches do not store responses to requests with `Authorization` (RFC
 * 9111, section 3.5), but they do not know `x-api-key`, or the headers that choose the shape.
 */
const ownHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' }

const newcomer: LimitsOwner = { tier: firstTier, lifetimeTopupPico: 0n }

/** `GET /v1/models`: the models that the key may call, with its prices and limits (docs/contract.md, 5.7). */
export async function listModels(exchange: Exchange, gateway: Gateway): Promise<void> {
  const key = await admit(exchange, gateway)
  const models = describeModels(gateway, key, key.allowedModels)
  const text = JSON.stringify(pageOf(models, exchange))
  const packed = await compressList(text, exchange.header('accept-encoding'))
  // Includes the origin, since this replaces the `vary` that CORS handling has set.
  const headers = { ...ownHeaders, vary: 'origin, accept-encoding' }
  if (packed === undefined) exchange.respond(200, headers, text)
  else exchange.respond(200, { ...headers, 'content-encoding': 'gzip' }, packed)
}

/** The page in the shape of the client's API: OpenAI's, Anthropic's or Google's. */
function pageOf(models: readonly ListedModel[], exchange: Exchange): object {
  const header = (name: string): string | undefined => exchange.header(name)
  if (isGoogles(exchange)) return googlePage(models.filter(answers), exchange.query)
  if (isAnthropicClient(header)) return anthropicPage(models.filter(answers), exchange.query)
  return { object: 'list', data: models }
}

function isGoogles(exchange: Exchange): boolean {
  return isGooglePath(exchange.path) || isGoogleClient((name) => exchange.header(name))
}

/** Callers in Anthropic's or Google's format can only generate. */
const answers = ({ operations }: ListedModel): boolean => operations.includes('generate')

/**
 * Every model that can be called, as `GET /v1/models` describes it.
 * @param owner whose limits to show; by default a new account's
 * @param allowed the models to include; by default all
 */
export function describeModels(
  gateway: Listing,
  owner = newcomer,
  allowed: AllowedModels = null,
): ListedModel[] {
  const models = modelsOf(gateway.catalog, allowed)
    .map(([name, model]) => describe(name, model, gateway, owner))
    .filter((entry) => entry !== undefined)
  return [...autoListings(gateway.auto, allowed), ...autoAliases(gateway, allowed), ...models]
}

/** Models by the names that callers may use. A list that allows only a version allows no other name. */
function modelsOf(catalog: Catalog, allowed: AllowedModels): [name: string, CatalogModel][] {
  const named = new Map<string, CatalogModel>()
  if (allowed === null) for (const model of catalog.models) named.set(model.id, model)
  for (const name of allowed ?? []) {
    const model = catalog.lookUp(name)
    if (model === undefined) continue
    named.set(callableName(allowed, model.id, name, catalog.resolveAlias(name)), model)
  }
  for (const [alias, target] of catalog.aliases) {
    const model = catalog.lookUp(target)
    if (model !== undefined && mayUse(allowed, model.id, alias, target)) named.set(alias, model)
  }
  return [...named].toSorted(([left], [right]) => (left < right ? -1 : 1))
}

/** The aliases of auto-routing, each under its own name. */
function autoAliases({ auto, catalog }: Listing, allowed: AllowedModels): ListedModel[] {
  return [...catalog.aliases].flatMap(([alias, target]) => {
    if (profileOf(target) === undefined) return []
    const listings = autoListings(auto, allowed?.has(alias) === true ? null : allowed)
    return listings.filter(({ id }) => id === target).map((listing) => ({ ...listing, id: alias }))
  })
}

/**
 * `GET /v1/models/{id}`, where the id contains a slash, escaped or not. A model that is not on the key's list
 * is rejected as a call to it would be.
 */
export async function describeModel(exchange: Exchange, gateway: Gateway): Promise<void> {
  const key = await admit(exchange, gateway)
  const name = modelName(exchange.path)
  const entry = describeAuto(name, key.allowedModels, gateway) ?? describeNamed(name, key, gateway)
  if (entry === undefined)
    throw new GatewayError('not_found_error', 'The model has no price and cannot be called.')
  if (isGoogles(exchange)) return respondJson(exchange, googleModel(entry))
  respondJson(exchange, isAnthropicClient((one) => exchange.header(one)) ? anthropicModel(entry) : entry)
}

/** Undefined if the name is not one of auto-routing's, or it has no model to choose from. */
function describeAuto(name: string, allowed: AllowedModels, gateway: Listing): ListedModel | undefined {
  const { auto, catalog } = gateway
  const profile = profileOf(catalog.resolveAlias(name))
  if (profile === undefined || auto.isEmpty) return undefined
  const wholeName = autoModelOf(profile)
  const entry =
    autoAliases(gateway, allowed).find(({ id }) => id === name) ??
    autoListings(auto, allowed).find(({ id }) => id === wholeName)
  if (entry === undefined) throw notAllowed(wholeName, 'model')
  return entry
}

function describeNamed(name: string, key: KnownKey, gateway: Listing): ListedModel | undefined {
  const model = gateway.catalog.resolve(name)
  const { allowedModels: allowed } = key
  const target = gateway.catalog.resolveAlias(name)
  if (!mayUse(allowed, model.id, name, target)) throw notAllowed(model.id, 'model')
  return describe(callableName(allowed, model.id, name, target), model, gateway, key)
}

async function admit(exchange: Exchange, gateway: Gateway): Promise<KnownKey> {
  const key = await findKey(exchange, gateway)
  requireUsable(key, exchange)
  const refusal = gateway.limiter.refusalOfKey(key)
  if (refusal !== undefined) throw refusal.error.with({ headers: gateway.limiter.headers(key, undefined) })
  return key
}

const prefix = '/models/'

function modelName(path: string): string {
  const text = path.slice(path.indexOf(prefix) + prefix.length)
  try {
    return decodeURIComponent(text)
  } catch {
    // Not a valid escape, so no model has this name; the look-up reports that.
    return text
  }
}

/** @param name by which callers can use it */
function describe(
  name: string,
  model: CatalogModel,
  gateway: Listing,
  owner: LimitsOwner,
): ListedModel | undefined {
  const prices = gateway.prices.get(model.id)
  if (prices === undefined) return undefined
  return {
    id: name,
    object: 'model',
    created: model.created,
    owned_by: model.ownedBy,
    name: model.name,
    context_length: model.contextLength,
    max_output_tokens: model.maxOutputTokens,
    pricing: addMarkup(prices),
    limits: describeLimits(owner, model, gateway),
    operations: model.operations,
    dimensions: model.dimensions ?? null,
    modalities: model.modalities,
    supported_parameters: model.supportedParameters,
    tiers: model.tiers,
  }
}

function respondJson(exchange: Exchange, body: object): void {
  exchange.respond(200, ownHeaders, JSON.stringify(body))
}
