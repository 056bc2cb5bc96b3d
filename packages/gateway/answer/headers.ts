import { routeLine, tierServed } from '../auto/route-record.ts'
import type { Held } from '../context.ts'
import { attemptsHeader } from '../upstream/attempts-header.ts'

/** What every answer of a model says of who served it (contract, section 5). */
export function servedBy(request: Held): Record<string, string> {
  const { model, provider, route } = request
  const headers: Record<string, string> = {
    'x-turnpike-model': headerValue(model.id),
    'x-turnpike-provider': provider.name,
    'x-turnpike-attempts': attemptsHeader(request),
  }
  if (route !== undefined) {
    headers['x-turnpike-tier'] = tierServed(route, model.id)
    headers['x-turnpike-route'] = headerValue(routeLine(route))
  }
  return headers
}

/**
 * An operator may call a model what it likes; in a header stands ASCII alone (RFC 9110, section 5.5), the
 * rest as in an address. Node refuses the whole answer otherwise.
 */
function headerValue(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, (part) => encodeURIComponent(part.toWellFormed()))
}
