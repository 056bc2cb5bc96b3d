import type { Account, AccountStore, SignedInAccount } from '@turnpike/identity'
import { GatewayError } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import type { TProperties } from 'typebox'
import type { ManagementApp } from './management-app.ts'
import { identifierOf } from './validation/fields.ts'

/**
 * Whose resources a set of routes serves. The same routes stand below an account in the path (operators)
 * and below `/api/v1/` (users, whose token names the account).
 */
export interface AccountScope {
  /** Parameters of the path that belong to the scope. */
  params: TProperties
  /** Who asks is the account's own user, and no operator. */
  isOwn: boolean
  /** The account as it is now. @throws {GatewayError} 404 where there is no such account */
  account(request: FastifyRequest): Promise<Account>
}

/** As `AccountScope`, for usage, which an operator may read over all accounts. */
export interface UsageScope {
  params: TProperties
  /** Undefined: all accounts. */
  accountId(request: FastifyRequest): Promise<string | undefined>
  /**
   * What is told besides: of single requests the markup and the vendor cost, which no user must see; and in
   * sums what vendors are owed, which is not told of one account, since storefronts pass its sums on.
   */
  tells: { markup: boolean; margins: boolean }
}

export const allAccounts: UsageScope = {
  params: {},
  accountId: async () => undefined,
  tells: { markup: true, margins: true },
}

/** The account named by `:account_id`. */
export function accountInPath(accounts: AccountStore): AccountScope {
  return {
    params: { account_id: identifierOf('acct') },
    isOwn: false,
    account: (request) => existing(accounts, (request.params as { account_id: string }).account_id),
  }
}

async function existing(accounts: AccountStore, accountId: string): Promise<Account> {
  const account = await accounts.find(accountId)
  if (account === undefined) throw new GatewayError('not_found_error', 'There is no such account.')
  return account
}

/** @param markup whether who asks is an operator */
export function usageOf(scope: AccountScope, { markup }: { markup: boolean }): UsageScope {
  return {
    params: scope.params,
    accountId: async (request) => (await scope.account(request)).id,
    tells: { markup, margins: false },
  }
}

/** The account of a user's token. */
export interface TokenScope extends AccountScope {
  /**
   * As it was when the request came; undefined where the token did not hold, or the account is not
   * active.
   */
  signedIn(request: FastifyRequest): SignedInAccount | undefined
}

/**
 * The account of the user's token, for all routes that this app has after the call. A suspended or closed
 * account is 403, whatever is asked for.
 */
export function accountOfToken(
  app: ManagementApp,
  accounts: AccountStore,
  accountOf: (request: FastifyRequest) => Promise<SignedInAccount>,
): TokenScope {
  const known = new WeakMap<FastifyRequest, SignedInAccount>()
  app.addHook('onRequest', async (request) => {
    const account = await accountOf(request)
    if (account.status !== 'active')
      throw new GatewayError('permission_error', `The account is ${account.status}.`)
    known.set(request, account)
  })
  return {
    params: {},
    isOwn: true,
    signedIn: (request) => known.get(request),
    // Read again: what was metered since is in its balance.
    account: (request) => existing(accounts, known.get(request)!.id),
  }
}
