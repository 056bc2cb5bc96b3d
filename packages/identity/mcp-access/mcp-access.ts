import type { Account } from '../accounts/account.ts'
import type { ActingMember } from '../organizations/organization-store.ts'
import type { McpScope } from './scopes.ts'

/** What an app may do at the MCP server, and for whom: its access token, checked for this request. */
export interface McpAccess {
  /** Whom the app acts for: the person's own account, or an organization's. */
  accountId: string
  /** In that organization; null: the account is the person's own. */
  member: ActingMember | null
  /** The person's, as it is now; it is active, and never an operator's. */
  account: Account
  /** No more than the person has granted. */
  scopes: ReadonlySet<McpScope>
  /** `client_id` of OAuth: up to 2 KB, for it may be an address or hold what a client registered with. */
  clientId: string
  /** What the app calls itself, which nobody has verified: at most 64 characters, on one line. */
  clientName: string
}

/** Why a request to the MCP server is refused (RFC 6750, section 3; RFC 9728, section 5.1). */
export interface McpRefusal {
  status: 401 | 403
  /** The whole value of the header. */
  wwwAuthenticate: string
  /** For the body: one sentence. */
  message: string
}

export interface McpAuthorization {
  /**
   * @param header `Authorization` of the request, if it has one
   * @param organization `X-Turnpike-Org` of the request, if it has one
   * @throws {GatewayError} 503 where the issuer's keys are needed and cannot be had; 400 for an organization
   *   that the person has not granted, 404 for one that they do not belong to
   */
  verify(header: string | undefined, organization?: string | string[]): Promise<McpAccess | McpRefusal>
  /** For a tool that needs more than was granted: 403, with all scopes of this one call. */
  insufficientScope(needed: readonly McpScope[]): McpRefusal
}

export function isRefused(result: McpAccess | McpRefusal): result is McpRefusal {
  return 'wwwAuthenticate' in result
}
