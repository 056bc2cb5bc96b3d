import { OrganizationRefused, type Changer, type InvitationMailLimits } from '@turnpike/identity'
import { engineOf } from '../database/engine.ts'
import { lockAddress } from '../identity/lock-address.ts'
import type { Connection } from '../schema.ts'
import { dayMs } from '../usage/period.ts'

interface InvitationMail {
  organizationId: string
  email: string
  by: Changer
  limits: InvitationMailLimits
  nowMs: number
}

/**
 * Inviting is no way to send mail to whoever one likes, as often as one likes: of an organization, of a
 * person in all of theirs, and to one address only so many go out in 24 hours, by whatever node. What was
 * revoked since counts. @throws {OrganizationRefused}
 */
export async function requireMailsLeft(
  transaction: Connection,
  { organizationId, email, by, limits, nowMs }: InvitationMail,
): Promise<void> {
  const mailed = transaction
    .selectFrom('org_invitations')
    .select((select) => select.fn.countAll<bigint>().as('count'))
    .where('mailed', '=', 1n)
    .where('org_invitations.created_at_ms', '>', BigInt(nowMs - dayMs))
  const requireBelow = async (query: typeof mailed, most: number): Promise<void> => {
    const { count } = await query.executeTakeFirstOrThrow()
    if (count >= BigInt(most)) throw new OrganizationRefused('too-many-mails')
  }
  // Other organizations may write to it at the same moment.
  await lockAddress(transaction, email)
  await requireBelow(mailed.where('organization_id', '=', organizationId), limits.ofOrganization)
  await requireBelow(mailed.where('email', '=', email), limits.toAddress)
  if (by === null) return
  // Whoever invites to several organizations at once is counted one after the other.
  const person = await transaction
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', (of) =>
      of.selectFrom('memberships').select('person_id').where('memberships.id', '=', by.memberId),
    )
    .$if(engineOf(transaction) === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (person === undefined) return
  const theirs = mailed.where('created_by', 'in', (of) =>
    of.selectFrom('memberships').select('memberships.id').where('person_id', '=', person.id),
  )
  await requireBelow(theirs, limits.ofPerson)
}
