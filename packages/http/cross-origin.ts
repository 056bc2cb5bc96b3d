import type { IncomingMessage, ServerResponse } from 'node:http'
import { GatewayError, newIdentifier } from '@turnpike/protocol'
import { respondError } from './respond-error.ts'

/*
 * Web pages of other origins (https://fetch.spec.whatwg.org/#http-cors-protocol). A caller is known by its
 * bearer token alone, which no browser sends on its own, as it does cookies. So nobody's rights can be
 * borrowed, and any page may be let in; no answer ever allows credentials.
 */

/**
 * Says on the answer to a request with an `Origin` whether its page may read it. Whatever answers the request
 * later, an error or a stream, has these headers then.
 * @returns true where that was all that was asked (a preflight): it is answered
 */
export type CrossOriginPolicy = (
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
) => boolean

/** Stands for every origin. */
const anyOrigin = '*'
/** Chromium remembers a preflight no longer than this. */
const maxAgeSeconds = 7_200
const longestShown = 100

/**
 * Any header may be sent: SDKs invent new ones, and a list of them fails with the next (ollama/ollama#4388).
 * `authorization` is the one that a wildcard does not hold (Fetch standard, section 4.10).
 */
const permissions = {
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
  'access-control-allow-headers': 'authorization, *',
  'access-control-max-age': String(maxAgeSeconds),
}

/**
 * @param allowedOrigins as browsers write them, or `*`; with none, browsers are told nothing
 */
export function crossOriginPolicy(allowedOrigins: readonly string[]): CrossOriginPolicy | undefined {
  if (allowedOrigins.length === 0) return undefined
  const allowed = new Set(allowedOrigins)
  const isOpen = allowed.has(anyOrigin)
  return (origin, request, response) => {
    const isPreflight =
      request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    // Where the answer is another one for another origin, a cache has to know.
    if (!isOpen) response.setHeader('vary', 'origin')
    if (isOpen || allowed.has(origin)) {
      response.setHeader('access-control-allow-origin', isOpen ? anyOrigin : origin)
      // All: a list forgets what a client waits by, as `retry-after` (Azure/azure-rest-api-specs#24904).
      if (isPreflight) answerPreflight(response)
      else response.setHeader('access-control-expose-headers', '*')
    } else if (isPreflight) respondError(response, notAllowed(origin))
    return isPreflight
  }
}

function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, { ...permissions, 'x-request-id': newIdentifier('req') })
  response.end()
}

/** Browsers do not show it to the page, but to who looks into what it sent. */
function notAllowed(origin: string): GatewayError {
  const shown = origin.slice(0, longestShown)
  return new GatewayError('permission_error', `Web pages of "${shown}" may not call this gateway.`)
}
