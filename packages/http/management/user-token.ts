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
  /** Of accounts that are made. */
  tier: string
  /** Unix epoch milliseconds. */
  clock: () => number
}

/** RFC 6750, section 2.1. */
const bearerPattern = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i

/** The account of a request's user token, made on first sight, whatever its status. */
export function accountOfUserToken(
  services: UserTokenServices,
): (request: FastifyRequest) => Promise<Account> {
  const { accounts, tier, clock } = services
  return async (request) => {
    const user = await services.verify(bearerToken(request))
    return accounts.signIn(user, tier, clock())
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
