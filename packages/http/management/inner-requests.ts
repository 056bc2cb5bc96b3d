import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { pathWithQuery, type ApiRequest } from '@turnpike/api'
import { organizationHeader, type Account, type SignedInAccount } from '@turnpike/identity'
import type { FastifyRequest } from 'fastify'
import type { ManagementApp } from './management-app.ts'

/** Who asks from within this process: an account, whose token was checked elsewhere. */
export interface InnerCaller {
  account: Account
  /** The organization that they act for; absent: for themselves. */
  organization?: string | undefined
  /** The program that acts for it, as the audit log is to name it. */
  via: string
  /** The connection that it came by, for the log. */
  address: string
  /** Of its own request: where proxies wrote down whom they forward. */
  forwarded: IncomingHttpHeaders
}

/** A path, as the management API answers it to an account. */
export interface InnerAnswer {
  status: number
  /** JSON. */
  body: unknown
}

const ticketHeader = 'x-turnpike-inner-ticket'
const ticketBytes = 32
/** What proxies write; which of it is believed is configured. */
const forwardedHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip']

const callers = new WeakMap<FastifyRequest, InnerCaller>()

/** The program that acts in the caller's place; undefined where the caller came itself. */
export function viaOf(request: FastifyRequest): string | undefined {
  return callers.get(request)?.via
}

/**
 * Requests of the management API that this process makes for an account, so that each rule of a route stands
 * in one place. They carry a ticket that was written for them alone, which nobody outside can know, and which
 * is void with their answer. An operator's account is a user's here.
 */
export class InnerRequests {
  readonly #tickets = new Map<string, InnerCaller>()

  /** The account of a request with a ticket, or what `otherwise` finds. */
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
