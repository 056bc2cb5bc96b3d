import type { Account } from '@turnpike/identity'
import type { FastifyRequest } from 'fastify'
import { internalSecretCheck } from '../internal-secret.ts'
import { unknownPath } from '../../unknown-path.ts'

/** Who comes to the admin endpoints: with the internal secret, which is nobody's, or with a user token. */
export type Operator = 'secret' | Account

export interface OperatorCredentials {
  /** Absent: operators come with their tokens alone. */
  internalSecret: string | undefined
  /** The account of the request's user token, and whether it is an operator's. Absent: the secret alone. */
  accountOf: ((request: FastifyRequest) => Promise<Account>) | undefined
}

/**
 * Admits operators. A token that holds but is no operator's finds nothing here, like at a path that there is
 * not, whatever it asks for.
 * @throws {GatewayError} 401 without a credential, or with one that does not hold; 404
 */
export function operatorAccess({
  internalSecret,
  accountOf,
}: OperatorCredentials): (request: FastifyRequest) => Promise<Operator> {
  const checkSecret = internalSecret === undefined ? undefined : internalSecretCheck(internalSecret)
  return async (request) => {
    const { 'x-internal-secret': secret, authorization } = request.headers
    const bringsToken = secret === undefined && authorization !== undefined
    if (checkSecret !== undefined && (accountOf === undefined || !bringsToken)) {
      await checkSecret(request)
      return 'secret'
    }
    if (accountOf === undefined) throw unknownPath()
    const account = await accountOf(request)
    if (!account.operator || account.status !== 'active') throw unknownPath()
    return account
  }
}
