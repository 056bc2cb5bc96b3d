import { isMailable } from '@turnpike/identity'
import { createTarget, mostTargets } from '../events/new-target.ts'
import type { EventOwner } from '../events/scope.ts'
import type { ManagementServices } from '../services.ts'

/** Events of automatic top-ups that a person must learn of, since only a person can resolve them. */
const types = [
  'auto_topup.action_required',
  'auto_topup.failed',
  'auto_topup.stopped',
  'auto_topup.capped',
] as const

/**
 * Adds a mail target for the person who turns automatic top-up on, unless these events already have a target:
 * a charge that a bank wants confirmed waits for a person. It is an ordinary target, which its owner can
 * delete.
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
