import type { IncomingMessage, ServerResponse } from 'node:http'
import { GatewayError, newIdentifier } from '@turnpike/protocol'
import { respondError } from './respond-error.ts'

/*
 * Requests by web pages of other origins (https://fetch.spec.whatwg.org/#http-cors-protocol). A caller is
 * identified by its bearer token only, which browsers, unlike cookies, never send on their own. A page
 * therefore cannot borrow a visitor's rights, and any page may be allowed. No response ever allows
 * credentials.
 */

/**
 * Adds headers that say whether the page behind an `Origin` may read the response. They are set early, so
 * that every later response, an error or a stream, has them.
 * @returns true if the request was a preflight, which is then answered
 */
export type CrossOriginPolicy = (
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
) => boolean

/** Allows every origin. */
const anyOrigin = '*'
/** Chromium caches a preflight no longer than this. */
const maxAgeSeconds = 7_200
const longestShown = 100

/**
 * Any header may be sent: SDKs add new ones, and an explicit list breaks with the next (ollama/ollama#4388).
 * Only `authorization` must be named, since the wildcard does not cover it (Fetch standard, section 4.10).
 */
const permissions = {
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
  'access-control-allow-headers': 'authorization, *',
  'access-control-max-age': String(maxAgeSeconds),
}

/** @param allowedOrigins as browsers write them, or `*`; without any, responses carry no CORS headers */
export function crossOriginPolicy(allowedOrigins: readonly string[]): CrossOriginPolicy | undefined {
  if (allowedOrigins.length === 0) return undefined
  const allowed = new Set(allowedOrigins)
  const isOpen = allowed.has(anyOrigin)
  return (origin, request, response) => {
    const isPreflight =
      request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    // If the response differs by origin, caches must know.
    if (!isOpen) response.setHeader('vary', 'origin')
    if (isOpen || allowed.has(origin)) {
      response.setHeader('access-control-allow-origin', isOpen ? anyOrigin : origin)
      // Exposes all headers: a list would omit some that clients need, such as `retry-after`
      // (Azure/azure-rest-api-specs#24904).
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

/** Browsers do not show this error to the page; its developer sees it in the network log. */
function notAllowed(origin: string): GatewayError {
  const shown = origin.slice(0, longestShown)
  return new GatewayError('permission_error', `Web pages of "${shown}" may not call this gateway.`)
}
