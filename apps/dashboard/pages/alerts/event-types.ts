import type { paths } from '@turnpike/api'

type Body = paths['/api/v1/event-targets']['post']['requestBody']['content']['application/json']
export type WantedType = NonNullable<Body['types']>[number]

/** The event types that an account can be notified of. Types for operators only are not included. */
export const typeNames: Partial<Record<WantedType, string>> = {
  'balance.low': 'Credit is low',
  'balance.runway': 'Credit will run out soon',
  'budget.threshold': 'A budget has reached a threshold',
  'spend.unusual': 'An hour of unusual spend',
  'key.expiring': 'A key is about to expire',
  'topup.paid': 'A top-up was paid',
  'topup.failed': 'A top-up failed',
  'topup.refunded': 'A top-up was refunded',
  'auto_topup.action_required': 'An automatic top-up needs your confirmation',
  'auto_topup.failed': 'An automatic top-up failed',
  'auto_topup.stopped': 'Automatic top-ups were stopped',
  'auto_topup.capped': 'Automatic top-ups reached their monthly cap',
  'member.joined': 'A member joined',
  'member.role_changed': "A member's role changed",
  'member.left': 'A member left',
  'member.removed': 'A member was removed',
  'invitation.created': 'An invitation was created',
  'invitation.revoked': 'An invitation was revoked',
  'webhook.disabled': 'A recipient was disabled',
}

/** Falls back to the raw type if this page does not know it yet. */
export function typeName(type: string): string {
  return (typeNames as Record<string, string | undefined>)[type] ?? type
}
