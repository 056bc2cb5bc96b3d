import type { Held } from '../context.ts'
import { attemptsHeader } from '../upstream/attempts-header.ts'

/** What every answer of a model says of who served it (contract, section 5). */
export function servedBy(request: Held): Record<string, string> {
  return {
    'x-turnpike-model': request.model.id,
    'x-turnpike-provider': request.provider.name,
    'x-turnpike-attempts': attemptsHeader(request),
  }
}
