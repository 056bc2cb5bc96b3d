import type { OperationRequest } from '@turnpike/protocol'
import type { Call } from '../call.ts'
import type { ReferencedValue } from './references.ts'

/** The members of a checked body that the gateway itself reads, under these names in nearly all formats. */
interface OwnMembers {
  models?: string[] | null | undefined
  metadata?: { tags?: string[] | null; retry_of?: string | null } | null | undefined
}

/** A call from a request and the members of its body. Usage is always included, as in most formats. */
export function callOf<Request extends OperationRequest>(
  request: Request,
  body: OwnMembers,
  referred: ReferencedValue,
): Call<Request> {
  return {
    request,
    fallbackModels: body.models ?? [],
    tags: body.metadata?.tags ?? [],
    retryOf: body.metadata?.retry_of ?? undefined,
    includeUsage: true,
    unsupportedFields: undefined,
    referred,
  }
}
