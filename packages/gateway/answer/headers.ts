import { routeLine, tierServed } from '../auto/route-record.ts'
import type { Attempt, Held } from '../context/stages.ts'
import { boundForModel } from '../metering/output-bound.ts'
import { attemptsHeader } from './attempts-header.ts'

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

const beyondAscii = /[^\x20-\x7e]/

/**
 * An operator may call a model what it likes; in a header stands ASCII alone (RFC 9110, section 5.5), the
 * rest as in an address. Node refuses the whole answer otherwise.
 */
function headerValue(text: string): string {
  if (!beyondAscii.test(text)) return text
  return text.replaceAll(/[^\x20-\x7e]+/g, (part) => encodeURIComponent(part.toWellFormed()))
}
