import type { ProviderStateStore } from '../embedded-provider/stores.ts'

/** What a person has granted to an app in one sign-in. */
export interface McpGrant {
  /** The organization that the app acts for: `acct_…`. Undefined: the person's own account. */
  organizationId: string | undefined
}

/** Our authorization detail's type; it names the grant's account (RFC 9396, section 2). */
const accountDetail = 'turnpike_account'

/** The authorization detail with which a grant stores the chosen organization. */
export function organizationDetail(organizationId: string): { type: string; identifier: string } {
  return { type: accountDetail, identifier: organizationId }
}

/** @param grant in the form `oidc-provider` stores it */
export function organizationOfGrant({ rar }: Record<string, unknown>): string | undefined {
  const details = Array.isArray(rar) ? (rar as { type?: unknown; identifier?: unknown }[]) : []
  const identifier = details.find(({ type }) => type === accountDetail)?.identifier
  return typeof identifier === 'string' ? identifier : undefined
}

/** Finds a grant while it is valid: it is gone once it was ended, or after a stolen token was reused. */
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
