import {
  invalidToken,
  missingToken,
  type Account,
  type AccountStore,
  type UserToken,
} from '@turnpike/identity'
import type { FastifyRequest } from 'fastify'

export interface UserTokenServices {
  /** @throws {GatewayError} 401 for a token that does not hold */
  verify: (raw: string) => Promise<UserToken>
  accounts: Pick<AccountStore, 'signIn'>
  /** Verified addresses of operators, in lower case. */
  operators: ReadonlySet<string>
  /** Of accounts that are made. */
  tier: string
  /** Unix epoch milliseconds. */
  clock: () => number
}

/** RFC 6750, section 2.1. */
const bearerPattern = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i

/**
 * The account of a request's user token, made on first sight, whatever its status. It is an operator's where
 * it was marked as one, or where the issuer vouches for an address that the configuration lists.
 */
export function accountOfUserToken(
  services: UserTokenServices,
): (request: FastifyRequest) => Promise<Account> {
  const { accounts, operators, tier, clock } = services
  return async (request) => {
    const user = await services.verify(bearerToken(request))
    const account = await accounts.signIn(user, tier, clock())
    const isListed = user.email !== null && user.emailVerified && operators.has(user.email)
    return isListed && !account.operator ? { ...account, operator: true } : account
  }
}

/** @throws {GatewayError} 401 */
function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (header === undefined) throw missingToken()
  const [, token] = bearerPattern.exec(header) ?? []
  if (token === undefined) throw invalidToken('`Authorization` does not hold one bearer token.')
  return token
}
