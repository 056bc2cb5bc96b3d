import { formatUsd } from '@turnpike/billing'
import type { Account } from '@turnpike/identity'
import { GatewayError } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import type { ManagementServices } from '../services.ts'
import { usd } from '../validation/fields.ts'

/** How many keys are revoked before the response; the nodes' own sweep revokes the rest. */
export const atOnce = 200

export const closedSchema = Type.Object({
  object: Type.Literal('closed_account'),
  account_id: Type.String(),
  credit_usd: Type.Unsafe<string>({ ...usd, description: 'The remaining credit, which stays on record.' }),
})

/**
 * Closes an account. From the first step on, no node accepts its keys. Requests in flight are charged when
 * they end, to the credit that their keys left to the account.
 */
export async function close(
  account: Account,
  services: ManagementServices,
): Promise<Static<typeof closedSchema>> {
  const { id } = account
  const keyIds = await activeKeys(id, services)
  if (!(await services.accounts.close(id, services.clock())))
    throw new GatewayError('conflict_error', 'The account is no longer active.')
  services.onAccountChanged(id)
  for (const keyId of keyIds) {
    await services.apiKeys.revoke(id, keyId, services.clock())
    services.onKeyChanged(keyId)
    await services.releaseCredit(keyId)
  }
  const { balancePico, unassignedPico } = (await services.accounts.find(id)) ?? account
  return {
    object: 'closed_account',
    account_id: id,
    credit_usd: formatUsd(balancePico + unassignedPico),
  }
}

export async function activeKeys(accountId: string, { apiKeys }: ManagementServices): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page = { limit: atOnce, ...(cursor !== null && { cursor }) }
    const found: Awaited<ReturnType<typeof apiKeys.list>> = await apiKeys.list(accountId, page)
    for (const { id, status } of found.rows) if (status === 'active') ids.push(id)
    cursor = found.nextCursor
  } while (cursor !== null && ids.length < atOnce)
  return ids.slice(0, atOnce)
}
