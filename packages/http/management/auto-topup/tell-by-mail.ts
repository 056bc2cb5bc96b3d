import { isMailable } from '@turnpike/identity'
import { createTarget, mostTargets } from '../events/new-target.ts'
import type { EventOwner } from '../events/scope.ts'
import type { ManagementServices } from '../services.ts'

/** What a person has to hear of automatic top-ups, since only they can do something about it. */
const types = [
  'auto_topup.action_required',
  'auto_topup.failed',
  'auto_topup.stopped',
  'auto_topup.capped',
] as const

/**
 * Has who turns automatic top-up on told by mail, unless somebody is told already: a charge that a bank wants
 * to be confirmed waits for a person. It is a target as any other: whoever wants none deletes it.
 */
export async function tellByMail(
  {
    eventTargets,
    notifications,
    clock,
  }: Pick<ManagementServices, 'eventTargets' | 'notifications' | 'clock'>,
  owner: EventOwner,
): Promise<void> {
  const { accountId, vouchedEmail } = owner
  const isMailed = notifications?.ask !== undefined && vouchedEmail !== null && isMailable(vouchedEmail)
  if (!isMailed) return
  const targets = await eventTargets.list(accountId)
  const isTold = targets.some((target) => target.types.some((type) => type === '*' || type === types[0]))
  if (isTold || targets.length >= mostTargets) return
  await createTarget({ eventTargets, notifications, clock }, owner, {
    kind: 'mail',
    name: 'Automatic top-up',
    types,
  })
}
