import type { FastifyRequest } from 'fastify'
import type { TProperties } from 'typebox'
import type { AccountScope, TokenScope } from '../access/scope.ts'
import type { ManagementServices } from '../services.ts'

/** Whose events a set of routes serves: an account's, or the operator's. */
export interface EventScope {
  params: TProperties
  /** @throws {GatewayError} 404 if the account does not exist */
  owner(request: FastifyRequest): Promise<EventOwner>
}

export interface EventOwner {
  /** Null: the operator. */
  accountId: string | null
  /** The address that needs no confirmation; `*`: no address does. */
  vouchedEmail: string | null
  /** Whether the account is an organization. */
  hasMembers: boolean
  /** The caller's internet address; null: an operator, or a storefront. */
  askedFrom: string | null
}

/** An operator's own addresses need no confirmation. */
export const operatorEvents: EventScope = {
  params: {},
  owner: async () => ({ accountId: null, vouchedEmail: '*', hasMembers: false, askedFrom: null }),
}

/** An organization has no address of its own, so the acting member's counts. */
export function eventsOf(
  scope: AccountScope & Partial<Pick<TokenScope, 'signedInAccount'>>,
  { callerAddress }: Pick<ManagementServices, 'callerAddress'>,
): EventScope {
  return {
    params: scope.params,
    async owner(request) {
      const account = await scope.account(request)
      const { email, emailVerified } = scope.signedInAccount?.(request) ?? account
      const hasMembers = account.kind === 'organization'
      const vouchedEmail = emailVerified ? email : null
      const askedFrom = scope.isOwn ? (callerAddress?.(request.raw) ?? request.ip) : null
      return { accountId: account.id, vouchedEmail, hasMembers, askedFrom }
    },
  }
}
