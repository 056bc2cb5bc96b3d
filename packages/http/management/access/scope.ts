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
import { requireFound } from '../not-found.ts'

/**
 * The account whose resources a set of routes serves. The same routes exist below an account in the path (for
 * operators) and below `/api/v1/` (for users; the token identifies the account, or a header one of their
 * organizations).
 */
export interface AccountScope {
  /** Path parameters that belong to the scope. */
  params: TProperties
  /** The caller is the account's own user, not an operator. */
  isOwn: boolean
  /** The account in its current state. @throws {GatewayError} 404 if the account does not exist */
  account(request: FastifyRequest): Promise<Account>
  /** The account's keys, limited to those that the caller may see in this operation. */
  keys(request: FastifyRequest): ApiKeyStore
  /** The member whose things are the only ones the caller may see in this operation; undefined: no limit. */
  onlyOf(request: FastifyRequest): string | undefined
  /** The member of the organization who acts; null: an operator, or the person whose account it is. */
  changer(request: FastifyRequest): Changer
  /** Checks an additional permission that an operation needs. @throws {GatewayError} 403 */
  require(request: FastifyRequest, permission: Permission, what: string): void
}

/** As `AccountScope`, for usage, which an operator may also read across all accounts. */
export interface UsageScope {
  params: TProperties
  /** Undefined: all accounts. */
  accountId(request: FastifyRequest): Promise<string | undefined>
  /** As in `AccountScope`. */
  onlyOf(request: FastifyRequest): string | undefined
  /**
   * Additional fields: `markup` adds the markup and vendor cost to single requests, which no user may see;
   * `margins` adds vendors' costs to sums, except to those of a single account, since storefronts pass them
   * on.
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
  return requireFound(await accounts.find(accountId), 'Account')
}

/** @param markup whether the caller is an operator */
export function usageOf(scope: AccountScope, { markup }: { markup: boolean }): UsageScope {
  return {
    params: scope.params,
    accountId: async (request) => (await scope.account(request)).id,
    onlyOf: (request) => scope.onlyOf(request),
    tells: { markup, margins: false },
  }
}

/** The account of a user's token, or the organization that the user acts for. */
export interface TokenScope extends AccountScope {
  /** As of the request's arrival; undefined if the token is invalid or the account is not active. */
  signedInAccount(request: FastifyRequest): SignedInAccount | undefined
  /** Undefined if the person may not act for the account that the request names. */
  acting(request: FastifyRequest): Acting | undefined
}

/**
 * The account of the user's token, or the organization in `X-Turnpike-Org`, for all routes that are
 * registered after this call. For every path, a suspended or closed account is 403, another organization 404,
 * and an operation that the role does not permit 403.
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
    // Read again, so that the balance includes recent usage.
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
