import type { OperationRequest } from '@turnpike/protocol'
import type { Call } from '../call.ts'
import type { ReferencedValue } from './references.ts'

/** What of a checked body is for the gateway itself, by the same names in nearly all formats. */
interface OwnMembers {
  models?: string[] | null | undefined
  metadata?: { tags?: string[] | null; retry_of?: string | null } | null | undefined
}

/** A request with what its body says to the gateway; whose usage is told without being asked for. */
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
