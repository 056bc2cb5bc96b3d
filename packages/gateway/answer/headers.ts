import type { Routed } from '../context.ts'

/** What every answer of a model says of who served it (contract, section 5). */
export function servedBy(request: Routed): Record<string, string> {
  return {
    'x-turnpike-model': request.model.id,
    'x-turnpike-provider': request.provider.name,
    'x-turnpike-attempts': String(Math.max(1, request.record.attempts.length)),
  }
}
