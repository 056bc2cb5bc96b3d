import type { Attempt } from '../context/stages.ts'
import type { Part } from '../operations/rules.ts'

/**
 * The parts in which the attempt's candidate gets the request, one call for each; undefined if it gets all of
 * it at once. Parts that another candidate has answered are not sent again, unless this candidate's prices
 * differ: one request has one price.
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
