import { GatewayError } from '@turnpike/protocol'
import type { JWTPayload } from 'jose'
import type { AccountStore } from '../accounts/account-store.ts'
import type { TokenIssuer } from '../user-tokens/token-issuer.ts'
import { verifyToken } from '../user-tokens/user-token-verifier.ts'
import { clientName } from '../mcp-clients/client-name.ts'
import { actingFor } from '../organizations/acting.ts'
import type { OrganizationStore } from '../organizations/organization-store.ts'
import { accountRefused, insufficientScope, invalidMcpToken, missingMcpToken } from './challenge.ts'
import type { McpGrant } from './grants.ts'
import type { McpAccess, McpAuthorization, McpRefusal } from './mcp-access.ts'
import { isMcpScope, type McpScope } from './scopes.ts'

/** Claims of the embedded provider's tokens: the app's name for itself, and the token's grant. */
export const clientNameClaim = 'client_name'
export const grantClaim = 'grant_id'

/** RFC 6750, section 2.1; MCP accepts a token only there. */
const bearerPattern = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i
const unnamed = 'MCP client'

export interface McpTokenVerifierOptions {
  issuer: TokenIssuer
  /** The required `aud`: the MCP server's own address. */
  resource: string
  /** The address of the protected resource's metadata (RFC 9728). */
  metadataUrl: string
  accounts: Pick<AccountStore, 'signIn'>
  /** Looks up memberships. */
  organizations: Pick<OrganizationStore, 'actingMember'>
  /** The tier of accounts that are created. */
  tier: string
  /**
   * For the embedded provider: finds a grant while it is valid. Its tokens name a grant and a login, and end
   * with either. Absent: tokens come from another issuer and are valid until they expire; the request names
   * the organization they act for.
   */
  grantOf?: (grantId: string) => Promise<McpGrant | undefined>
  /** Unix epoch milliseconds. */
  clock: () => number
}

/** Verifies on every request: signature, issuer, audience, time, grant, account and scopes. */
export class McpTokenVerifier implements McpAuthorization {
  readonly #options: McpTokenVerifierOptions

  constructor(options: McpTokenVerifierOptions) {
    this.#options = options
  }

  async verify(
    header: string | undefined,
    organization?: string | string[],
  ): Promise<McpAccess | McpRefusal> {
    const { metadataUrl } = this.#options
    if (header === undefined) return missingMcpToken(metadataUrl)
    const [, token] = bearerPattern.exec(header) ?? []
    if (token === undefined)
      return invalidMcpToken(metadataUrl, '`Authorization` must contain one bearer token.')
    try {
      return await this.#accessOf(token, organization)
    } catch (error) {
      if (error instanceof GatewayError && error.status === 401)
        return invalidMcpToken(metadataUrl, error.message)
      throw error
    }
  }

  insufficientScope(needed: readonly McpScope[]): McpRefusal {
    return insufficientScope(this.#options.metadataUrl, needed)
  }

  async #accessOf(raw: string, named: string | string[] | undefined): Promise<McpAccess | McpRefusal> {
    const { accounts, tier, clock, grantOf, metadataUrl } = this.#options
    const { user, claims } = await verifyToken(raw, {
      ...this.#options,
      knowsLogins: grantOf !== undefined,
    })
    const grant = await grantOf?.(textOf(claims[grantClaim]) ?? '')
    if (grantOf !== undefined && grant === undefined)
      return invalidMcpToken(metadataUrl, 'The access behind this token has been revoked.')
    const clientId = textOf(claims['client_id']) ?? textOf(claims['azp'])
    if (clientId === undefined) return invalidMcpToken(metadataUrl, 'The token has no client.')
    const account = await accounts.signIn(user, tier, clock())
    if (account.status !== 'active') return accountRefused(metadataUrl, `The account is ${account.status}.`)
    const access = {
      // An app is never an operator, whoever's it is.
      account: { ...account, operator: false },
      scopes: scopesOf(claims),
      clientId,
      clientName: clientName(textOf(claims[clientNameClaim]) ?? clientId) ?? unnamed,
    }
    return this.#actingOf(access, grant, named)
  }

  /** Looks membership up on each request, so that removing a member takes effect at once. */
  async #actingOf(
    access: Omit<McpAccess, 'accountId' | 'member'>,
    grant: McpGrant | undefined,
    named: string | string[] | undefined,
  ): Promise<McpAccess | McpRefusal> {
    const { organizations, metadataUrl } = this.#options
    if (grant === undefined) {
      const { accountId, role, memberId } = await actingFor(access.account, named, organizations)
      return { ...access, accountId, member: memberId === null ? null : { role, memberId } }
    }
    const { id: ownId } = access.account
    const accountId = grant.organizationId ?? ownId
    if (named !== undefined && named !== accountId) throw notGranted()
    if (accountId === ownId) return { ...access, accountId, member: null }
    const member = await organizations.actingMember(accountId, ownId)
    if (member !== undefined) return { ...access, accountId, member }
    return accountRefused(
      metadataUrl,
      'The person who allowed this app is no longer a member of the organization.',
    )
  }
}

/** An app cannot choose whom it acts for: the person chose when they allowed it. */
function notGranted(): GatewayError {
  return new GatewayError(
    'invalid_request_error',
    '`X-Turnpike-Org`: this app was not allowed to act for that organization. Connect it again to ' +
      'change that.',
    { param: 'X-Turnpike-Org' },
  )
}

/** `scope` of RFC 9068; some issuers send a list, or `scp`. */
function scopesOf(claims: JWTPayload): ReadonlySet<McpScope> {
  const scope = claims['scope'] ?? claims['scp']
  const names =
    typeof scope === 'string' ? scope.split(' ') : Array.isArray(scope) ? (scope as unknown[]) : []
  return new Set(names.filter((name) => typeof name === 'string').filter(isMcpScope))
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
