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
 * Limits invitation mails in 24 hours, over all nodes: per organization, per inviting person over all their
 * organizations, and per address. Otherwise invitations could be used to send mail to anyone. Revoked
 * invitations count.
 * @throws {OrganizationRefused}
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
  // Locks the person, so that concurrent invitations to several organizations count each other.
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
