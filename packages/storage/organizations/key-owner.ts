import { KeyOwnerRefused } from '@turnpike/identity'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'

export interface KeyOwner {
  memberId?: string | null | undefined
  projectId?: string | null | undefined
}

/**
 * Locks the member and the project until this transaction ends, and checks that the member is active and the
 * project not archived. A removal waits for the lock and then finds the key. Call this before locking the
 * ledger, which a removal does not wait for.
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

/** Whether this member is active; locks the member until this transaction ends. */
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
    // A removal updates the row without its key columns, so KEY SHARE would not block it.
    .$if(engineOf(transaction) === 'postgres', (query) => query.forShare())
    .executeTakeFirst()
  return member?.status === 'active'
}
