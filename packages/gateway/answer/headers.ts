import { routeLine, tierServed } from '../auto/route-record.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt, Held } from '../context/stages.ts'
import { boundForModel } from '../metering/output-bound.ts'
import { attemptsHeader } from './attempts-header.ts'

const beyondAscii = /[^\x20-\x7e]/
/** A header, and a row, of so many is long enough to be read. */
const mostDroppedPaths = 20
/** A path may end in a name that the caller made up. */
const mostPathCharacters = 100
const nothing: readonly string[] = []

/** What every answer of a model says of who served it (docs/contract.md, 5.4). */
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
  return Object.assign(headers, routingHeaders(request, model.id))
}

/** Whether the vendor was told of fewer uses of its tools than the caller asked for. */
function usesLowered({ request, candidate }: Attempt): boolean {
  const { toolUses, call, operation } = request
  if (toolUses === undefined || operation.services === undefined) return false
  return operation.services.mostUses(call.request, candidate.provider) > toolUses
}

/**
 * What auto-routing decided; nothing of a request that it did not decide, or has not yet.
 * @param served the model that answered; absent: none did
 */
export function routingHeaders(
  { route }: Partial<Held>,
  served?: string,
): Record<string, string> | undefined {
  if (route === undefined) return undefined
  const tier = served === undefined ? route.decision.tier : tierServed(route, served)
  return { 'x-turnpike-tier': tier, 'x-turnpike-route': headerValue(routeLine(route)) }
}

/** Headers of what is left of the caller's own limits, never of the upstream's (docs/contract.md, 5.4). */
export function callerLimits(request: Partial<Held>, { limiter }: Gateway): Record<string, string> {
  const { key, allowance, candidates, format } = request
  return key === undefined
    ? {}
    : limiter.headers(key, allowance, candidates?.[0]?.model, format?.rateLimitStyle)
}

/**
 * What was left out for the vendor that is asked, by its paths in the caller's own body: `top_k`, `tools[2]`.
 * In what a path may not hold in a header, or between commas, stands a percent sign and the bytes' numbers.
 */
export function droppedPaths({ dropped, request: { format, call } }: Attempt): readonly string[] {
  if (dropped.length === 0) return nothing
  const told = new Set<string>()
  let looked = 0
  // To find a path in the caller's words may be to walk the whole body.
  for (; looked < dropped.length && told.size < mostDroppedPaths; looked++) {
    const param = dropped[looked]!
    told.add(printablePath(format.fieldPath?.(param, call.body) ?? param))
  }
  const more = dropped.length - looked
  return more === 0 ? [...told] : [...told, `and ${more} more`]
}

/**
 * An operator may call a model what it likes; in a header stands ASCII alone (RFC 9110, section 5.5), the
 * rest as in an address. Node refuses the whole answer otherwise.
 */
function headerValue(text: string): string {
  if (!beyondAscii.test(text)) return text
  return text.replaceAll(/[^\x20-\x7e]+/g, (part) => encodeURIComponent(part.toWellFormed()))
}

function printablePath(path: string): string {
  const short = path.length > mostPathCharacters ? `${path.slice(0, mostPathCharacters)}...` : path
  return short.replaceAll(/[^\x21-\x7e]+|[,%"]/g, (part) => encodeURIComponent(part.toWellFormed()))
}
