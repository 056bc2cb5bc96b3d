import {
  actingFor,
  organizationHeader,
  ownKeysOnly,
  reachOf,
  requirePermission,
  type Account,
  type AccountStore,
  type Acting,
  type ApiKeyStore,
  type Changer,
  type OrganizationStore,
  type Permission,
  type SignedInAccount,
} from '@turnpike/identity'
import { GatewayError } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import type { TProperties } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { permissionOf, requirePermitted } from './permissions.ts'
import { identifierOf } from '../validation/fields.ts'

/**
 * Whose resources a set of routes serves. The same routes stand below an account in the path (operators)
 * and below `/api/v1/` (users, whose token names the account, or a header an organization of theirs).
 */
export interface AccountScope {
  /** Parameters of the path that belong to the scope. */
  params: TProperties
  /** Who asks is the account's own user, and no operator. */
  isOwn: boolean
  /** The account as it is now. @throws {GatewayError} 404 where there is no such account */
  account(request: FastifyRequest): Promise<Account>
  /** The account's keys, as far as who asks may see them in this operation. */
  keys(request: FastifyRequest): ApiKeyStore
  /** The member whose things alone who asks may see in this operation; undefined: all there are. */
  onlyOf(request: FastifyRequest): string | undefined
  /** Who acts in an organization; null: an operator, or the person whose account it is. */
  changer(request: FastifyRequest): Changer
  /** For what an operation does besides. @throws {GatewayError} 403 */
  require(request: FastifyRequest, permission: Permission, what: string): void
}

/** As `AccountScope`, for usage, which an operator may read over all accounts. */
export interface UsageScope {
  params: TProperties
  /** Undefined: all accounts. */
  accountId(request: FastifyRequest): Promise<string | undefined>
  /** As in `AccountScope`. */
  onlyOf(request: FastifyRequest): string | undefined
  /**
   * What is told besides: of single requests the markup and the vendor cost, which no user must see; and in
   * sums what vendors are owed, which is not told of one account, since storefronts pass its sums on.
   */
  tells: { markup: boolean; margins: boolean }
}

export const allAccounts: UsageScope = {
  params: {},
  accountId: async () => undefined,
  onlyOf: () => undefined,
  tells: { markup: true, margins: true },
}

export interface ScopeServices {
  accounts: AccountStore
  apiKeys: ApiKeyStore
  organizations: Pick<OrganizationStore, 'actingMember'>
}

/** The account named by `:account_id`. */
export function accountInPath({ accounts, apiKeys }: ScopeServices): AccountScope {
  return {
    params: { account_id: identifierOf('acct') },
    isOwn: false,
    account: (request) => existing(accounts, (request.params as { account_id: string }).account_id),
    keys: () => apiKeys,
    onlyOf: () => undefined,
    changer: () => null,
    require: () => undefined,
  }
}

async function existing(accounts: AccountStore, accountId: string): Promise<Account> {
  const account = await accounts.find(accountId)
  if (account === undefined) throw new GatewayError('not_found_error', 'Account not found.')
  return account
}

/** @param markup whether who asks is an operator */
export function usageOf(scope: AccountScope, { markup }: { markup: boolean }): UsageScope {
  return {
    params: scope.params,
    accountId: async (request) => (await scope.account(request)).id,
    onlyOf: (request) => scope.onlyOf(request),
    tells: { markup, margins: false },
  }
}

/** The account of a user's token, or the organization that they act for. */
export interface TokenScope extends AccountScope {
  /**
   * The person, as they were when the request came; undefined where the token did not hold, or the account
   * is not active.
   */
  signedInAccount(request: FastifyRequest): SignedInAccount | undefined
  /** Undefined where they may not act for whom the request names. */
  acting(request: FastifyRequest): Acting | undefined
}

/**
 * The account of the user's token, or the organization that `X-Turnpike-Org` names, for all routes that this
 * app has after the call. Whatever is asked for: a suspended or closed account is 403, a foreign organization
 * 404, an operation beyond the role 403.
 */
export function accountOfToken(
  app: ManagementApp,
  { accounts, apiKeys, organizations }: ScopeServices,
  accountOf: (request: FastifyRequest) => Promise<SignedInAccount>,
): TokenScope {
  const people = new WeakMap<FastifyRequest, SignedInAccount>()
  const known = new WeakMap<FastifyRequest, Acting>()
  app.addHook('onRequest', async (request) => {
    const person = await accountOf(request)
    if (person.status === 'active') people.set(request, person)
    const acting = await actingFor(person, request.headers[organizationHeader], organizations)
    if (acting.memberId !== null) await requireActive(accounts, acting.accountId)
    known.set(request, acting)
    const { operation } = request.routeOptions.config
    if (operation !== undefined) requirePermitted(acting, operation.action)
  })
  const onlyOf = (request: FastifyRequest): string | undefined => {
    const { role, memberId } = known.get(request)!
    const permission = permissionOf(request.routeOptions.config.operation?.action ?? '')
    if (memberId === null || permission === undefined || permission === 'person') return undefined
    return reachOf(role, permission) === 'own' ? memberId : undefined
  }
  return {
    params: {},
    isOwn: true,
    signedInAccount: (request) => people.get(request),
    acting: (request) => known.get(request),
    // Read again: what was metered since is in its balance.
    account: (request) => existing(accounts, known.get(request)!.accountId),
    keys(request) {
      const memberId = onlyOf(request)
      return memberId === undefined ? apiKeys : ownKeysOnly(apiKeys, memberId)
    },
    onlyOf,
    changer(request) {
      const { memberId, role } = known.get(request)!
      return memberId === null ? null : { memberId, role }
    },
    require(request, permission, what) {
      requirePermission(known.get(request)!, permission, what)
    },
  }
}

async function requireActive(accounts: AccountStore, organizationId: string): Promise<void> {
  const { status } = await existing(accounts, organizationId)
  if (status !== 'active') throw new GatewayError('permission_error', `The organization is ${status}.`)
}
