import type { CallerFormat } from '@turnpike/dialects'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import type { SealedVendorKey } from '@turnpike/identity'
import type { CatalogModel } from '@turnpike/vendors'
import type { Profile } from '@turnpike/routing'
import type { AutoRoute } from '../auto/auto-route.ts'
import { autoModelOf, profileOf } from '../auto/profile.ts'
import { routeRecord } from '../auto/route-record.ts'
import { mayUse, notAllowed } from '../candidates/allowed-models.ts'
import { candidatesInFormat, type Candidate } from '../candidates/candidate.ts'
import type { ModelCandidates } from '../candidates/candidate-book.ts'
import { inTurn } from '../candidates/in-turn.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Parsed, Routed } from '../context/stages.ts'

/**
 * Lists the candidates: those of the model that the caller named, then those of its fallbacks. The fallbacks
 * are the models in `models` or, without that field, the ones configured for the model.
 * @throws {GatewayError} 404 unknown, 403 not on the key's list, 400 wrong operation, 503 unpriced or without
 * an upstream
 */
export function chooseModel(request: Parsed, gateway: Gateway): Routed {
  const { call, operation, key } = request
  if (operation.oneModel !== undefined && call.fallbackModels.length > 0)
    throw invalidRequest('models', `models: fallbacks are not possible here: ${operation.oneModel}.`)
  const profile = profileOf(gateway.catalog.resolveAlias(call.request.model))
  if (profile !== undefined) return chooseAutomatically(request, profile, gateway)
  const named = resolveAllowedModel(call.request.model, 'model', request, gateway)
  const served = gateway.candidates.includingOwn(named, key.vendorKeys)
  const further =
    call.fallbackModels.length > 0
      ? namedFallbacks(request, gateway)
      : configuredFallbacks(named, request, gateway)
  const all = further.length === 0 ? served : inTurn([served, ...further])
  if (all.candidates.length === 0) throw unservedModelError(named, all, gateway)
  return withCandidates(request, further.length === 0 ? all.candidates : uniqueCandidates(all.candidates))
}

/** The candidates that auto-routing chooses, then those of the caller's own fallbacks; or only the latter. */
function chooseAutomatically(request: Parsed, profile: Profile, gateway: Gateway): Routed {
  const { call, record } = request
  const named = namedFallbacks(request, gateway)
  const alone = inTurn(named).candidates
  const route = routeAutomatically(
    request,
    { profile, name: call.request.model, param: 'model' },
    alone.length > 0,
    gateway,
  )
  if (route === undefined) return withCandidates(request, uniqueCandidates(alone))
  gateway.auto.recordRequest(route, call.retryOf, record.startedAtMs)
  record.tier = route.decision.tier
  record.route = routeRecord(route)
  const { candidates } = inTurn([servedBy(route), ...named])
  const chosen = withCandidates(request, uniqueCandidates(candidates))
  chosen.route = route
  return chosen
}

/** @param candidates at least one */
function withCandidates(request: Parsed, candidates: readonly Candidate[]): Routed {
  const routed = request as Routed
  const { format, operation } = request
  const { name, path, passThrough } = format
  routed.candidates = candidatesInFormat(format, candidates)
  if (routed.candidates.length === 0) throw unservedPathError(candidates[0]!.model, format)
  if (operation.isPriced !== undefined) {
    const { model } = routed.candidates[0]!
    routed.candidates = routed.candidates.filter((one) => operation.isPriced!(one))
    if (routed.candidates.length === 0) throw unpricedModelError(model)
  }
  if (passThrough?.path === undefined) return routed
  routed.candidates = routed.candidates.filter(({ provider }) => provider.format === name)
  if (routed.candidates.length > 0) return routed
  throw invalidRequest('model', `No vendor of this model serves ${path}.`)
}

/**
 * Undefined if auto-routing finds no candidate, but the caller named other models.
 * @throws {GatewayError} 400; 503 if there are no other models
 */
function routeAutomatically(
  { format, call, key, body, exchange, unsupportedFields, operation }: Parsed,
  { profile, name, param }: { profile: Profile; name: string; param: string },
  hasOthers: boolean,
  gateway: Gateway,
): AutoRoute | undefined {
  const prompt = operation.prompt?.(call.request)
  if (prompt === undefined) throw autoNotOfferedError(name, param, format)
  try {
    return gateway.auto.route({
      profile,
      request: prompt,
      format: format.name,
      bodyBytes: body.length,
      isLenient: unsupportedFields === 'drop',
      accountId: key.accountId,
      keyId: key.id,
      vendorKeys: key.vendorKeys,
      // A key's list that names auto-routing allows every model that auto-routing chooses.
      mayUse: (model) => mayUse(key.allowedModels, model, name, autoModelOf(profile)),
      retryOf: call.retryOf,
      nowMs: exchange.startedAtMs,
    })
  } catch (error) {
    if (error instanceof GatewayError && hasOthers) return undefined
    throw error
  }
}

function autoNotOfferedError(name: string, param: string, { path }: CallerFormat): GatewayError {
  return invalidRequest(
    param,
    `${param}: expected the name of a model, not "${name}": auto-routing is only for text generation, and ` +
      `does not choose a model for ${path}. GET /v1/models lists each model's operations.`,
  )
}

/**
 * The models that the caller named in `models`. An auto-routing profile there becomes the models it chooses.
 */
function namedFallbacks(request: Parsed, gateway: Gateway): ModelCandidates[] {
  const { call } = request
  return call.fallbackModels.flatMap((name, index) => {
    const param = `models[${index}]`
    const profile = profileOf(gateway.catalog.resolveAlias(name))
    if (profile === undefined) {
      const model = resolveAllowedModel(name, param, request, gateway)
      return gateway.candidates.includingOwn(model, request.key.vendorKeys)
    }
    const route = routeAutomatically(request, { profile, name, param }, true, gateway)
    return route === undefined ? [] : servedBy(route)
  })
}

function servedBy({ candidates, forbidsShared }: AutoRoute): ModelCandidates {
  return { candidates, forbidsShared, unopened: undefined }
}

function resolveAllowedModel(
  name: string,
  param: string,
  { key, format }: Parsed,
  { catalog }: Gateway,
): CatalogModel {
  const model = catalog.resolve(name, param)
  if (!mayUse(key.allowedModels, model.id, name, catalog.resolveAlias(name)))
    throw notAllowed(model.id, param)
  if (!canBeAsked(model, format)) throw wrongOperationError(model, format, param)
  return model
}

/** Whether the model has the operation that callers of this format request. */
function canBeAsked({ operations }: CatalogModel, { operation }: CallerFormat): boolean {
  return operations.includes(operation)
}

function wrongOperationError(
  { id, operations }: CatalogModel,
  format: CallerFormat,
  param: string,
): GatewayError {
  const { path, operation } = format
  return invalidRequest(
    param,
    `The model "${id}" supports ${operations.join(' and ')}, but ${path} needs ${operation}. ` +
      "GET /v1/models lists each model's operations.",
  )
}

/** Skips configured fallbacks that this key may not use. */
function configuredFallbacks(
  named: CatalogModel,
  { key, format, operation }: Parsed,
  { catalog, candidates }: Gateway,
): readonly ModelCandidates[] {
  if (named.fallbacks.length === 0 || operation.oneModel !== undefined) return []
  return named.fallbacks.flatMap((name) => {
    const model = catalog.lookUp(name)
    if (model === undefined) return []
    if (!mayUse(key.allowedModels, model.id, name, catalog.resolveAlias(name))) return []
    if (!canBeAsked(model, format)) return []
    return candidates.includingOwn(model, key.vendorKeys)
  })
}

/** Lists an upstream that serves several of the models only once: for the first of them. */
function uniqueCandidates(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>()
  return candidates.filter(({ provider, upstream, health, own }) => {
    const { name: of, region = '' } = provider
    const name = `${of} ${region} ${own?.id ?? health.ofKey.key} ${upstream.model}`
    return seen.size < seen.add(name).size
  })
}

/** The model has the operation, but no known format of its providers can request it. */
function unservedPathError({ id }: CatalogModel, { path }: CallerFormat): GatewayError {
  return invalidRequest('model', `model: no provider of "${id}" serves ${path}.`)
}

function unservedModelError(
  named: CatalogModel,
  served: ModelCandidates,
  { prices, candidates }: Gateway,
): GatewayError {
  if (served.unopened !== undefined) return unopenedKeyError(served.unopened)
  if (candidates.wantsOwnKey(named)) return ownKeyRequiredError(named)
  if (prices.has(named.id))
    return new GatewayError(
      'service_unavailable',
      `No upstream is serving the model "${named.id}" at the moment.`,
    )
  return unpricedModelError(named)
}

function ownKeyRequiredError({ id }: CatalogModel): GatewayError {
  const message = `The model "${id}" only takes your own vendor key: add one (POST /api/v1/vendor-keys).`
  return new GatewayError('permission_error', message, { param: 'model' })
}

/** A node without the sealing key must not use the operator's credit instead of the account's key. */
function unopenedKeyError({ name, last4, id, keyName }: SealedVendorKey): GatewayError {
  const message = `The gateway cannot decrypt your own key "${name}" (…${last4}) at the moment.`
  const detail = `byok.encryption_keys has no key ${keyName}, which ${id} is encrypted with`
  return new GatewayError('service_unavailable', message, { retryAfterSeconds: 60, detail })
}

function unpricedModelError({ id }: CatalogModel): GatewayError {
  const message = `The model "${id}" has no price and cannot be called until the operator sets one.`
  return new GatewayError('service_unavailable', message, { param: 'model' })
}
