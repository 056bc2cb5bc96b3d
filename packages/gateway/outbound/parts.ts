import type { Attempt } from '../context/stages.ts'
import type { Part } from '../operations/rules.ts'

/**
 * What the attempt's candidate is asked in parts, of which each is a call of its own; undefined: all at once.
 * What another candidate has answered is not asked again, unless it costs another price there:
 * one request has one price.
 */
export function partsFor({ request, candidate }: Attempt): Part[] | undefined {
  const { operation, call } = request
  const { batch } = operation
  if (batch === undefined) return undefined
  const bounds = batch.bounds(call.request, candidate)
  if (request.batch !== undefined && request.batch.prices !== candidate.prices) request.batch = undefined
  if (request.batch === undefined) {
    if (bounds === undefined || batch.fits(call.request, bounds)) return undefined
    request.batch = { parts: batch.begin(call.request), prices: candidate.prices }
  }
  return request.batch.parts.missing(bounds)
}
