import { autoTopupStates, formatUsd, type AutoTopup, type PaymentMethod, type Topup } from '@turnpike/billing'
import { Type, type Static } from 'typebox'
import { epochSeconds, nullable, timestamp, usd } from '../validation/fields.ts'

const amount = (description: string) => nullable(Type.Unsafe<string>({ ...usd, description }))

export const autoTopupSchema = Type.Object(
  {
    object: Type.Literal('auto_topup'),
    enabled: Type.Boolean(),
    threshold_usd: amount('Charge when the balance of the account is below this. Null: never set.'),
    amount_usd: amount('Amount of each charge.'),
    monthly_cap_usd: amount('Maximum per month (UTC), not counting tax.'),
    payment_method_id: nullable(Type.String({ description: 'The payment method: `pmt_…`.' })),
    state: Type.Enum([...autoTopupStates], {
      description:
        '`charging`: an attempt is in progress. `needs_action`: the bank wants the customer to confirm at ' +
        '`action_url`. `waiting`: an attempt failed and will be retried. `stopped`: three failed in a ' +
        'row, or a top-up was refunded or disputed; set it again to resume.',
    }),
    failure: nullable(
      Type.String({ description: 'Why the last attempt failed, as the payment processor’s code.' }),
    ),
    attempts_failed: Type.Integer({ description: 'In a row, so far.' }),
    next_attempt_at: nullable(timestamp),
    charged_this_month_usd: Type.Unsafe<string>({ ...usd, description: 'Including attempts in progress.' }),
    is_capped: Type.Boolean({ description: 'The monthly cap has been reached.' }),
    action_url: nullable(Type.String({ description: 'A checkout, for `needs_action`.' })),
    session_id: nullable(Type.String({ description: 'The top-up of the last attempt.' })),
  },
  { title: 'AutoTopup' },
)

export function autoTopupRecord(
  setting: AutoTopup | undefined,
  { chargedPico, action }: { chargedPico: bigint; action: Topup | undefined },
): Static<typeof autoTopupSchema> {
  return {
    object: 'auto_topup',
    enabled: setting?.enabled ?? false,
    threshold_usd: usdOrNull(setting?.thresholdPico),
    amount_usd: usdOrNull(setting?.amountPico),
    monthly_cap_usd: usdOrNull(setting?.monthlyCapPico),
    payment_method_id: setting?.paymentMethodId ?? null,
    state: setting?.state ?? 'idle',
    failure: setting?.failure ?? null,
    attempts_failed: setting?.attemptsFailed ?? 0,
    next_attempt_at: setting?.state === 'waiting' ? epochSeconds(setting.nextAtMs) : null,
    charged_this_month_usd: formatUsd(chargedPico),
    is_capped: typeof setting?.cappedMonth === 'string',
    action_url: action?.checkout?.url ?? null,
    session_id: setting?.topupId ?? null,
  }
}

function usdOrNull(pico: bigint | undefined): string | null {
  return pico === undefined ? null : formatUsd(pico)
}

export const paymentMethodSchema = Type.Object(
  {
    object: Type.Literal('payment_method'),
    id: Type.String(),
    kind: Type.String({ description: 'As named by the payment processor: `card`, `sepa_debit`, …' }),
    brand: nullable(Type.String()),
    last4: nullable(Type.String()),
    expires_month: nullable(Type.String({ description: 'Such as `2029-04`; null: it does not expire.' })),
    sandbox: Type.Boolean({ description: 'A sandbox method with play money.' }),
    created_at: timestamp,
  },
  { title: 'PaymentMethod' },
)

/** Leaves out the processor's own identifiers, which are of no use here. */
export function paymentMethodRecord(method: PaymentMethod): Static<typeof paymentMethodSchema> {
  return {
    object: 'payment_method',
    id: method.id,
    kind: method.kind,
    brand: method.brand,
    last4: method.last4,
    expires_month: method.expiresMonth,
    sandbox: method.processor === 'sandbox',
    created_at: epochSeconds(method.createdAtMs),
  }
}
