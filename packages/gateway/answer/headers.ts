import { routeLine, tierServed } from '../auto/route-record.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt, Held } from '../context/stages.ts'
import { boundForModel } from '../metering/output-bound.ts'
import { attemptsHeader } from './attempts-header.ts'

const beyondAscii = /[^\x20-\x7e]/
/** A header, and a row, with this many paths is long enough. */
const mostDroppedPaths = 20
/** A path may end in a name that the caller invented. */
const mostPathCharacters = 100
const nothing: readonly string[] = []

/** Headers of every answer about what served it (docs/contract.md, 5.4). Others may be added to them. */
export function servedByHeaders(attempt: Attempt): Record<string, string> {
  const { request, candidate } = attempt
  const { model, provider } = candidate
  const { outputBound } = request
  const headers: Record<string, string> = {
    'x-turnpike-model': headerValue(model.id),
    'x-turnpike-provider': provider.name,
    'x-turnpike-attempts': attemptsHeader(request.record, attempt.calledAtMs),
  }
  if (candidate.own !== undefined) headers['x-turnpike-byok'] = 'true'
  if (outputBound.isLowered)
    headers['x-turnpike-max-output-tokens'] = String(boundForModel(outputBound, model))
  if (usesLowered(attempt)) headers['x-turnpike-max-uses'] = String(request.toolUses)
  const { dropped } = request.record
  if (dropped.length > 0) headers['x-turnpike-dropped'] = dropped.join(', ')
  return request.route === undefined ? headers : { ...headers, ...routingHeaders(request, model.id) }
}

/** Whether the vendor was allowed fewer uses of its tools than the caller requested. */
function usesLowered({ request, candidate }: Attempt): boolean {
  const { toolUses, call, operation } = request
  if (toolUses === undefined || operation.services === undefined) return false
  return operation.services.mostUses(call.request, candidate.provider) > toolUses
}

/**
 * The headers about auto-routing's decision; undefined if it made none, or none yet.
 * @param served the model that answered; absent if none did
 */
export function routingHeaders(
  { route }: Partial<Held>,
  served?: string,
): Record<string, string> | undefined {
  if (route === undefined) return undefined
  const tier = served === undefined ? route.decision.tier : tierServed(route, served)
  return { 'x-turnpike-tier': tier, 'x-turnpike-route': headerValue(routeLine(route)) }
}

/**
 * Adds headers about what is left of the caller's own limits, never the upstream's (docs/contract.md, 5.4).
 */
export function addCallerLimits(
  headers: Record<string, string>,
  request: Partial<Held>,
  { limiter }: Gateway,
): void {
  const { key, allowance, candidates, format } = request
  if (key !== undefined)
    limiter.headers(key, allowance, candidates?.[0]?.model, format?.rateLimitStyle, headers)
}

/**
 * Fields that this vendor does not get, as paths in the caller's own body: `top_k`, `tools[2]`. Characters
 * that a header cannot contain, and commas, are percent-encoded.
 */
export function droppedPaths({ dropped, request: { format, call } }: Attempt): readonly string[] {
  if (dropped.length === 0) return nothing
  const paths = new Set<string>()
  let looked = 0
  // Translating one path may require a walk through the whole body, so only the listed paths are translated.
  for (; looked < dropped.length && paths.size < mostDroppedPaths; looked++) {
    const param = dropped[looked]!
    paths.add(printablePath(format.fieldPath?.(param, call.body) ?? param))
  }
  const more = dropped.length - looked
  return more === 0 ? [...paths] : [...paths, `and ${more} more`]
}

/**
 * Percent-encodes all but ASCII. An operator may choose any model name, but headers take only ASCII (RFC
 * 9110, section 5.5), and Node rejects the whole response otherwise.
 */
function headerValue(text: string): string {
  if (!beyondAscii.test(text)) return text
  return text.replaceAll(/[^\x20-\x7e]+/g, (part) => encodeURIComponent(part.toWellFormed()))
}

function printablePath(path: string): string {
  const short = path.length > mostPathCharacters ? `${path.slice(0, mostPathCharacters)}...` : path
  return short.replaceAll(/[^\x21-\x7e]+|[,%"]/g, (part) => encodeURIComponent(part.toWellFormed()))
}
