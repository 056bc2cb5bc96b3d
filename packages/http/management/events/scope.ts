import type { FastifyRequest } from 'fastify'
import type { TProperties } from 'typebox'
import type { AccountScope, TokenScope } from '../access/scope.ts'
import type { ManagementServices } from '../services.ts'

/** Whose events a set of routes serves: an account's, or the operator's own. */
export interface EventScope {
  params: TProperties
  /** @throws {GatewayError} 404 where there is no such account */
  owner(request: FastifyRequest): Promise<EventOwner>
}

export interface EventOwner {
  /** Null: the operator. */
  accountId: string | null
  /** The address that needs no confirmation; `*`: none does. */
  vouchedEmail: string | null
  /** An organization. */
  hasMembers: boolean
  /** The internet address of who asks; null: an operator, or a storefront of theirs. */
  askedFrom: string | null
}

/** Whoever may administer the gateway need not confirm where it tells them. */
export const operatorEvents: EventScope = {
  params: {},
  owner: async () => ({ accountId: null, vouchedEmail: '*', hasMembers: false, askedFrom: null }),
}

/** An organization has no address: there it is that of who acts for it. */
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
