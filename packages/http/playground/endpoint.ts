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

/** Where the dashboard's playground asks for answers: chat completions, by the signed-in user's token. */
export const playgroundPath = '/api/v1/playground/chat/completions'
/** What is served there. */
export const servedPath = '/v1/chat/completions'

/** A token costs a signature and a look at the database: who sends many waits. */
const maxChecked = 200

export interface PlaygroundEndpointParts {
  /** The account of the request's user token. @throws {GatewayError} 401 */
  accountOf: (request: TokenRequest) => Promise<Account>
  /** Who belongs to which organization. */
  organizations: Pick<OrganizationStore, 'actingMember'>
  /**
   * Hash of the key that the playground of the account, or of this member, has, which is on no list and has
   * no secret.
   */
  keyHashOf: (accountId: string, memberId: string | null) => Promise<string>
  /** Of the gateway. */
  publicUrl: () => string
}

/**
 * Lets the dashboard ask models by its session. The token comes in a header, which no browser sends by
 * itself, and pages of other origins are refused besides: they have no rights to borrow here.
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
   * Hash of the key by which the request is served.
   * @throws {GatewayError} 401 the token does not hold; 403 another page's, an account that is not active, or
   * a role that may not; 404 a foreign organization; 405; 503
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
        // Removed between two queries.
        throw error instanceof KeyOwnerRefused ? noSuchOrganization() : error
      })
    } finally {
      this.#checked--
    }
  }

  /** What is no browser tells no origin. Its `Host` is one of ours, which the server has seen to. */
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
