import { formatUsd, type AutoTopup } from '@turnpike/billing'
import type { EventType } from '@turnpike/notify'
import { raise } from '../events/raise.ts'
import type { Connection } from '../schema.ts'

type AutoTopupEvent = Extract<EventType, `auto_topup.${string}`>

interface EventFacts {
  setting: AutoTopup
  /** With the type, names the occurrence in the dedupe key. */
  of: string
  nowMs: number
  /** Further data, in addition to the setting. */
  more?: Record<string, unknown>
}

/** Raises an event of an automatic top-up in the current transaction, after its other statements. */
export async function raiseAutoTopupEvent(
  transaction: Connection,
  type: AutoTopupEvent,
  { setting, of, nowMs, more }: EventFacts,
): Promise<void> {
  await raise(transaction, {
    type,
    accountId: setting.accountId,
    dedupeKey: `${type}:${of}`,
    occurredAtMs: nowMs,
    data: {
      object: 'auto_topup',
      session_id: setting.topupId,
      amount_usd: formatUsd(setting.amountPico),
      threshold_usd: formatUsd(setting.thresholdPico),
      monthly_cap_usd: formatUsd(setting.monthlyCapPico),
      ...more,
    },
  })
}
