import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { pathWithQuery, type ApiRequest } from '@turnpike/api'
import { organizationHeader, type Account, type SignedInAccount } from '@turnpike/identity'
import type { FastifyRequest } from 'fastify'
import type { ManagementApp } from './management-app.ts'

/** An account that makes requests from within this process; its token was verified elsewhere. */
export interface InnerCaller {
  account: Account
  /** The organization that the caller acts for; absent: themselves. */
  organization?: string | undefined
  /** The program that acts for the account, for the audit log. */
  via: string
  /** The internet address of the original connection, for the log. */
  address: string
  /** The original request's forwarding headers, written by proxies. */
  forwarded: IncomingHttpHeaders
}

/** The management API's response to an account. */
export interface InnerAnswer {
  status: number
  /** JSON. */
  body: unknown
}

const ticketHeader = 'x-turnpike-inner-ticket'
const ticketBytes = 32
/** Headers that proxies write; the configuration says which of them are trusted. */
const forwardedHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip']

const callers = new WeakMap<FastifyRequest, InnerCaller>()

/** The program that acts for the caller; undefined if the caller sent the request itself. */
export function viaOf(request: FastifyRequest): string | undefined {
  return callers.get(request)?.via
}

/**
 * Requests to the management API that this process makes for an account, so that each rule of a route exists
 * once. They carry a single-use ticket that no outsider can know, and that becomes invalid with the response.
 * Here an operator's account has a user's rights only.
 */
export class InnerRequests {
  readonly #tickets = new Map<string, InnerCaller>()

  /** The account of a request with a ticket, or else the result of `otherwise`. */
  accountOf(
    otherwise: (request: FastifyRequest) => Promise<SignedInAccount>,
  ): (request: FastifyRequest) => Promise<SignedInAccount> {
    return async (request) => {
      const ticket = request.headers[ticketHeader]
      const caller = typeof ticket === 'string' ? this.#tickets.get(ticket) : undefined
      if (caller === undefined) return otherwise(request)
      callers.set(request, caller)
      return caller.account
    }
  }

  async send(app: ManagementApp, caller: InnerCaller, request: ApiRequest): Promise<InnerAnswer> {
    const ticket = randomBytes(ticketBytes).toString('base64url')
    this.#tickets.set(ticket, caller)
    try {
      const answer = await app.inject({
        method: request.method ?? 'GET',
        url: pathWithQuery(request),
        remoteAddress: caller.address,
        headers: {
          ...forwardedHeadersOf(caller),
          ...(caller.organization !== undefined && { [organizationHeader]: caller.organization }),
          [ticketHeader]: ticket,
        },
        ...(request.body !== undefined && { payload: request.body }),
      })
      return { status: answer.statusCode, body: answer.json() }
    } finally {
      this.#tickets.delete(ticket)
    }
  }
}

function forwardedHeadersOf({ forwarded }: InnerCaller): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of forwardedHeaders) {
    const value = forwarded[name]
    if (value !== undefined) headers[name] = String(value)
  }
  return headers
}
