import { operationOf, passThroughOf, type VendorFormat } from '@turnpike/dialects'
import { modelTraits } from '@turnpike/vendors'
import type { CandidateRequest } from '../context/stages.ts'

/** Whether to request a stream: if the caller did, unless the model's whole answer is converted to one. */
export function asksForStream({ request, candidate }: CandidateRequest, vendorFormat: VendorFormat): boolean {
  if (!request.call.request.stream) return false
  const { whole } = operationOf(vendorFormat, request.format.operation)
  // Callers of the vendor's own format get the vendor's own error.
  if (whole === undefined || passThroughOf(request.format, vendorFormat) !== undefined) return true
  return !whole.isAllOf(modelTraits(vendorFormat.name, candidate.upstream.model))
}
