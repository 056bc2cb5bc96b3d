import { KeyOwnerRefused } from '@turnpike/identity'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'

export interface KeyOwner {
  memberId?: string | null | undefined
  projectId?: string | null | undefined
}

/**
 * That the member is one, and the project no archive, until this transaction ends: a removal waits for it,
 * and then finds the key. Comes before the locks of the ledger, for which a removal does not wait.
 * @throws {KeyOwnerRefused}
 */
export async function holdKeyOwner(
  transaction: Connection,
  accountId: string,
  { memberId, projectId }: KeyOwner,
): Promise<void> {
  if (typeof memberId === 'string' && !(await isHeldMember(transaction, accountId, memberId)))
    throw new KeyOwnerRefused('unknown-member')
  if (typeof projectId !== 'string') return
  const project = await transaction
    .selectFrom('projects')
    .select('archived_at_ms')
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forShare())
    .executeTakeFirst()
  if (project === undefined) throw new KeyOwnerRefused('unknown-project')
  if (project.archived_at_ms !== null) throw new KeyOwnerRefused('project-archived')
}

/** Whether this member is active, and stays so until this transaction ends. */
export async function isHeldMember(
  transaction: Connection,
  accountId: string,
  memberId: string,
): Promise<boolean> {
  const member = await transaction
    .selectFrom('memberships')
    .select('status')
    .where('organization_id', '=', accountId)
    .where('id', '=', memberId)
    // A removal writes the row without touching what other rows refer to: KEY SHARE would not hold it up.
    .$if(engineOf(transaction) === 'postgres', (query) => query.forShare())
    .executeTakeFirst()
  return member?.status === 'active'
}
