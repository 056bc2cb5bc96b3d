import type { Account, AccountStore } from '@turnpike/identity'
import { GatewayError } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import type { TProperties } from 'typebox'
import { identifierOf } from './validation/fields.ts'

/**
 * Whose resources a set of routes serves. The same routes stand below an account in the path (operators)
 * and below `/api/v1/` (users, whose token names the account).
 */
export interface AccountScope {
  /** Parameters of the path that belong to the scope. */
  params: TProperties
  /** @throws {GatewayError} 404 where there is no such account */
  account(request: FastifyRequest): Promise<Account>
}

/** As `AccountScope`, for usage, which an operator may read over all accounts. */
export interface UsageScope {
  params: TProperties
  /** Undefined: all accounts. */
  accountId(request: FastifyRequest): Promise<string | undefined>
}

export const allAccounts: UsageScope = { params: {}, accountId: async () => undefined }

/** The account named by `:account_id`. */
export function accountInPath(accounts: AccountStore): AccountScope {
  return {
    params: { account_id: identifierOf('acct') },
    account: async (request) => {
      const { account_id: accountId } = request.params as { account_id: string }
      const account = await accounts.find(accountId)
      if (account === undefined) throw new GatewayError('not_found_error', 'There is no such account.')
      return account
    },
  }
}

export function usageOf(scope: AccountScope): UsageScope {
  return { params: scope.params, accountId: async (request) => (await scope.account(request)).id }
}
