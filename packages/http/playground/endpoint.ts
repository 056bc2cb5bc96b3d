import type { IncomingMessage } from 'node:http'
import {
  actingFor,
  KeyOwnerRefused,
  noSuchOrganization,
  organizationHeader,
  requirePermission,
  type Account,
  type OrganizationStore,
} from '@turnpike/identity'
import { GatewayError } from '@turnpike/protocol'
import type { TokenRequest } from '../management/access/user-token.ts'

/** The path of the dashboard's playground: chat completions, authenticated by the signed-in user's token. */
export const playgroundPath = '/api/v1/playground/chat/completions'
/** The path under which such a request is served. */
export const servedPath = '/v1/chat/completions'

/** Checking a token costs a signature and a database query, so this many may be checked at a time. */
const maxChecked = 200

export interface PlaygroundEndpointParts {
  /** The account of the request's user token. @throws {GatewayError} 401 */
  accountOf: (request: TokenRequest) => Promise<Account>
  /** Looks up memberships. */
  organizations: Pick<OrganizationStore, 'actingMember'>
  /** Hash of the playground key of the account, or of this member; it is listed nowhere and has no secret. */
  keyHashOf: (accountId: string, memberId: string | null) => Promise<string>
  /** The gateway's address. */
  publicUrl: () => string
}

/**
 * Lets the dashboard call models with its user's session. The token comes in a header, which no browser sends
 * by itself. Pages of other origins are refused as well: they have no business here.
 */
export class PlaygroundEndpoint {
  readonly #parts: PlaygroundEndpointParts
  #checked = 0

  constructor(parts: PlaygroundEndpointParts) {
    this.#parts = parts
  }

  serves(url: string): boolean {
    return url.startsWith(playgroundPath) && (url.length === playgroundPath.length || isQuery(url))
  }

  /**
   * Hash of the key that the request is served with.
   * @throws {GatewayError} 401 for an invalid token; 403 for a page of another origin, an account that is not
   * active, or a role that does not permit it; 404 for another organization; 405; 503
   */
  async keyHashOf(request: IncomingMessage): Promise<string> {
    requirePost(request)
    this.#requireOwnPage(request)
    if (this.#checked >= maxChecked)
      throw new GatewayError('service_unavailable', 'The playground is overloaded; please retry.', {
        retryAfterSeconds: 1,
      })
    this.#checked++
    try {
      const { accountOf, organizations, keyHashOf } = this.#parts
      const person = await accountOf({ headers: request.headers, raw: request })
      const acting = await actingFor(person, request.headers[organizationHeader], organizations)
      requirePermission(acting, 'playground:use', 'playground')
      return await keyHashOf(acting.accountId, acting.memberId).catch((error: unknown) => {
        // The member was removed between two queries.
        throw error instanceof KeyOwnerRefused ? noSuchOrganization() : error
      })
    } finally {
      this.#checked--
    }
  }

  /** Only browsers send an origin. The server has already checked that `Host` is ours. */
  #requireOwnPage({ headers: { origin, host } }: IncomingMessage): void {
    if (origin === undefined || origin === new URL(this.#parts.publicUrl()).origin) return
    if (URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()) return
    throw new GatewayError('permission_error', 'Only the gateway’s own pages may use the playground.')
  }
}

function isQuery(url: string): boolean {
  return url[playgroundPath.length] === '?'
}

function requirePost({ method = 'GET' }: IncomingMessage): void {
  if (method === 'POST') return
  throw new GatewayError('invalid_request_error', `${playgroundPath} accepts POST, not ${method}.`, {
    status: 405,
    headers: { allow: 'POST' },
  })
}
