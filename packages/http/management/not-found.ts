import { GatewayError } from '@turnpike/protocol'

/** 404 for something that does not exist, or that the caller must not know about. */
export function notFound(thing: string, param?: string): GatewayError {
  return new GatewayError('not_found_error', `${thing} not found.`, param === undefined ? {} : { param })
}

/** The thing, or 404: another account's thing looks like one that never existed. */
export function requireFound<Found>(found: Found | undefined, thing: string, param?: string): Found {
  if (found === undefined) throw notFound(thing, param)
  return found
}
