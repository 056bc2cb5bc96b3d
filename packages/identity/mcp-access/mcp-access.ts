import type { Account } from '../accounts/account.ts'
import type { ActingMember } from '../organizations/organization-store.ts'
import type { McpScope } from './scopes.ts'

/** What an app may do at the MCP server, and for whom; verified for this request. */
export interface McpAccess {
  /** The account that the app acts for: the person's own, or an organization's. */
  accountId: string
  /** The person's membership in that organization; null: the account is the person's own. */
  member: ActingMember | null
  /** The person's account in its current state: active, and never an operator's. */
  account: Account
  /** Never more than the person has granted. */
  scopes: ReadonlySet<McpScope>
  /** OAuth's `client_id`: up to 2 KB, since it may be an address or contain a client's registration. */
  clientId: string
  /** The app's own name for itself, unverified: at most 64 characters, on one line. */
  clientName: string
}

/** Why a request to the MCP server is refused (RFC 6750, section 3; RFC 9728, section 5.1). */
export interface McpRefusal {
  status: 401 | 403
  /** The complete value of the header. */
  wwwAuthenticate: string
  /** One sentence for the body. */
  message: string
}

export interface McpAuthorization {
  /**
   * @param header the request's `Authorization`, if any
   * @param organization the request's `X-Turnpike-Org`, if any
   * @throws {GatewayError} 503 if the issuer's keys are needed and cannot be fetched; 400 for an organization
   * that the person has not granted; 404 for one that they do not belong to
   */
  verify(header: string | undefined, organization?: string | string[]): Promise<McpAccess | McpRefusal>
  /** 403 for a tool that needs more scopes than were granted; lists all that this call needs. */
  insufficientScope(needed: readonly McpScope[]): McpRefusal
}

export function isRefused(result: McpAccess | McpRefusal): result is McpRefusal {
  return 'wwwAuthenticate' in result
}
