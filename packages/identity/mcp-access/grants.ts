import type { ProviderStateStore } from '../embedded-provider/stores.ts'

/** What a person has granted an app, by one sign-in. */
export interface McpGrant {
  /** The organization that the app acts for: `acct_…`. Undefined: the person's own account. */
  organizationId: string | undefined
}

/** In a grant, the account that it is on: an authorization detail of a type of ours (RFC 9396, section 2). */
const accountDetail = 'turnpike_account'

/** As a grant keeps the organization that was chosen. */
export function organizationDetail(organizationId: string): { type: string; identifier: string } {
  return { type: accountDetail, identifier: organizationId }
}

/** @param grant as `oidc-provider` keeps it */
export function organizationOfGrant({ rar }: Record<string, unknown>): string | undefined {
  const details = Array.isArray(rar) ? (rar as { type?: unknown; identifier?: unknown }[]) : []
  const identifier = details.find(({ type }) => type === accountDetail)?.identifier
  return typeof identifier === 'string' ? identifier : undefined
}

/** What a person has granted, while it is so: it is gone once it was ended, or used up by a thief. */
export function grantsOf(
  state: Pick<ProviderStateStore, 'find'>,
  clock: () => number,
): (grantId: string) => Promise<McpGrant | undefined> {
  return async (grantId) => {
    const found = await state.find('Grant', grantId)
    const expires = found?.payload['exp']
    if (found === undefined || typeof expires !== 'number' || expires * 1000 <= clock()) return undefined
    return { organizationId: organizationOfGrant(found.payload) }
  }
}
