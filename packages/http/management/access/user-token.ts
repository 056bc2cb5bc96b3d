import {
  mapClaimedRoles,
  invalidToken,
  missingToken,
  type Account,
  type AccountStore,
  type OperatorAddresses,
  type OrganizationStore,
  type RoleMapping,
  type SignedInAccount,
  type UserToken,
} from '@turnpike/identity'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

export interface UserTokenServices {
  /** @throws {GatewayError} 401 for an invalid token */
  verify: (raw: string) => Promise<UserToken>
  accounts: Pick<AccountStore, 'signIn'>
  /** Whether an address belongs to an operator. */
  operators: Pick<OperatorAddresses, 'includes'>
  /** What the token's roles mean in organizations; absent: nothing. */
  roles?:
    | {
        mappings: readonly RoleMapping[]
        organizations: Pick<OrganizationStore, 'followClaims'>
        /** Called when something in the organization changed. */
        onChanged: (organizationId: string) => void
      }
    | undefined
  /** The tier of accounts that are created. */
  tier: string
  /** Records that the user's session is in use. */
  onUse: (sessionId: string, request: IncomingMessage) => Promise<void>
  /** Unix epoch milliseconds. */
  clock: () => number
}

/** The parts of a request that identify the caller. */
export type TokenRequest = Pick<FastifyRequest, 'headers' | 'raw'>

/** RFC 6750, section 2.1. */
const bearerPattern = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i

/**
 * The account of a request's user token, created on first sight, whatever its status. It is an operator's if
 * it was marked as one, or if the issuer vouches for an address that the configuration lists.
 */
export function accountOfUserToken(
  services: UserTokenServices,
): (request: TokenRequest) => Promise<SignedInAccount> {
  const { accounts, operators, tier, clock, onUse } = services
  return async (request) => {
    const user = await services.verify(bearerToken(request))
    const account = await accounts.signIn(user, tier, clock())
    await followRoles(account, user, services)
    const isOperator = account.operator || (isVouchedFor(user, account) && operators.includes(user.email))
    const { sessionId } = user
    if (sessionId === undefined) return { ...account, operator: isOperator }
    await onUse(sessionId, request.raw)
    return { ...account, operator: isOperator, sessionId }
  }
}

/** Runs first, so that a role which the issuer takes away ends with the next token. */
async function followRoles(
  { id, status }: Account,
  user: UserToken,
  { roles, clock }: UserTokenServices,
): Promise<void> {
  if (roles === undefined || user.roles === undefined || status !== 'active') return
  const claimedRoles = { roles: mapClaimedRoles(user.roles, roles.mappings), issuedAtS: user.issuedAtS ?? 0 }
  for (const organizationId of await roles.organizations.followClaims(id, claimedRoles, clock()))
    roles.onChanged(organizationId)
}

/**
 * Whether the address is verified by the token and by the account: the embedded provider may have given the
 * address to somebody else since the token was issued.
 */
function isVouchedFor(user: UserToken, account: Account): user is UserToken & { email: string } {
  return user.email !== null && user.emailVerified && account.emailVerified && account.email === user.email
}

/** @throws {GatewayError} 401 */
function bearerToken(request: TokenRequest): string {
  const header = request.headers.authorization
  if (header === undefined) throw missingToken()
  const [, token] = bearerPattern.exec(header) ?? []
  if (token === undefined) throw invalidToken('`Authorization` must contain one bearer token.')
  return token
}
