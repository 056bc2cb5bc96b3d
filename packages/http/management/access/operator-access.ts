import type { Account } from '@turnpike/identity'
import type { FastifyRequest } from 'fastify'
import { internalSecretCheck } from '../internal-secret.ts'
import { unknownPath } from '../../unknown-path.ts'

/** The caller of an admin endpoint: the shared internal secret, or the account of a user token. */
export type Operator = 'secret' | Account

export interface OperatorCredentials {
  /** Absent: operators use their tokens only. */
  internalSecret: string | undefined
  /** The account of the request's user token. Absent: only the secret is accepted. */
  accountOf: ((request: FastifyRequest) => Promise<Account>) | undefined
}

/**
 * Admits operators. A valid token of anybody else gets 404 for everything, as for an unknown path.
 * @throws {GatewayError} 401 without a credential or with an invalid one; 404
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
