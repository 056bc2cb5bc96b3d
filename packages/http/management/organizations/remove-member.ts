import { noSuchOrganization, type Changer, type KeyFate, type Member } from '@turnpike/identity'
import type { ManagementServices } from '../services.ts'
import { refusing } from './refusal.ts'

interface MemberRemoval {
  organizationId: string
  memberId: string
  keysGo: KeyFate
  by: Changer | 'self'
}

/**
 * Removes a member. After the first step they are no longer a member and their things give no access. If this
 * is interrupted, the next sweep on any node completes it.
 */
export async function removeMember(
  { organizationId, memberId, keysGo, by }: MemberRemoval,
  services: ManagementServices,
): Promise<{ member: Member; keyCount: number }> {
  const { organizations, apiKeys } = services
  const keyIds = await organizations
    .removeMember(organizationId, memberId, { keysGo, by }, services.clock())
    .catch(refusing('member'))
  services.onAccountChanged(organizationId)
  if (keysGo === 'organization') await organizations.finishRemovals(services.clock(), memberId)
  for (const keyId of keyIds) {
    if (keysGo === 'revoked') await apiKeys.revoke(organizationId, keyId, services.clock())
    services.onKeyChanged(keyId)
    // The leases follow the credit of the key.
    await services.releaseCredit(keyId)
  }
  const member = await organizations.member(organizationId, memberId)
  if (member === undefined) throw noSuchOrganization()
  return { member, keyCount: keyIds.length }
}
