import type { FastifyRequest } from 'fastify'
import type { TProperties } from 'typebox'
import type { AccountScope } from '../scope.ts'

/** Whose events a set of routes serves: an account's, or the operator's own. */
export interface EventScope {
  params: TProperties
  /** @throws {GatewayError} 404 where there is no such account */
  owner(request: FastifyRequest): Promise<EventOwner>
}

export interface EventOwner {
  /** Null: the operator. */
  accountId: string | null
  /** Addresses that need no confirmation; `*`: none does. */
  vouchedEmail: string | null
}

/** Whoever may administer the gateway need not confirm where it tells them. */
export const operatorEvents: EventScope = {
  params: {},
  owner: async () => ({ accountId: null, vouchedEmail: '*' }),
}

export function eventsOf(scope: AccountScope): EventScope {
  return {
    params: scope.params,
    async owner(request) {
      const { id, email, emailVerified } = await scope.account(request)
      return { accountId: id, vouchedEmail: emailVerified ? email : null }
    },
  }
}
