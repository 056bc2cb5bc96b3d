import { operationOf, passThroughOf, type VendorFormat } from '@turnpike/dialects'
import { modelTraits } from '@turnpike/vendors'
import type { CandidateRequest } from '../context/stages.ts'

/**
 * Whether the vendor is asked for a stream: where the caller asked for one, unless the model refuses to, so
 * that its whole answer is told as one.
 */
export function asksForStream({ request, candidate }: CandidateRequest, vendorFormat: VendorFormat): boolean {
  if (!request.call.request.stream) return false
  const { whole } = operationOf(vendorFormat, request.format.operation)
  // Its own callers get the vendor's own refusal.
  if (whole === undefined || passThroughOf(request.format, vendorFormat) !== undefined) return true
  return !whole.isAllOf(modelTraits(vendorFormat.name, candidate.upstream.model))
}
