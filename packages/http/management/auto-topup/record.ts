import { autoTopupStates, formatUsd, type AutoTopup, type PaymentMethod, type Topup } from '@turnpike/billing'
import { Type, type Static } from 'typebox'
import { epochSeconds, nullable, timestamp, usd } from '../validation/fields.ts'

const amount = (description: string) => nullable(Type.Unsafe<string>({ ...usd, description }))

export const autoTopupSchema = Type.Object(
  {
    object: Type.Literal('auto_topup'),
    enabled: Type.Boolean(),
    threshold_usd: amount('Below this balance of the account it is charged. Null: nothing was ever set.'),
    amount_usd: amount('What is charged at a time.'),
    monthly_cap_usd: amount('What is charged in a month (UTC) at most, tax not counted.'),
    payment_method_id: nullable(Type.String({ description: 'What is charged: `pmt_…`.' })),
    state: Type.Enum([...autoTopupStates], {
      description:
        '`charging`: an attempt is under way. `needs_action`: the bank wants its customer to confirm, at ' +
        '`action_url`. `waiting`: an attempt failed, and another one follows. `stopped`: three failed one ' +
        'after the other, or money of a top-up went back; set it again to go on.',
    }),
    failure: nullable(
      Type.String({ description: 'Why the last attempt failed, in the payment processor’s word.' }),
    ),
    attempts_failed: Type.Integer({ description: 'One after the other, up to now.' }),
    next_attempt_at: nullable(timestamp),
    charged_this_month_usd: Type.Unsafe<string>({ ...usd, description: 'Attempts under way included.' }),
    is_capped: Type.Boolean({ description: 'The month’s cap keeps it from charging.' }),
    action_url: nullable(Type.String({ description: 'A checkout, of `needs_action`.' })),
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
    kind: Type.String({ description: 'In the payment processor’s word: `card`, `sepa_debit`, …' }),
    brand: nullable(Type.String()),
    last4: nullable(Type.String()),
    expires_month: nullable(Type.String({ description: 'As in `2029-04`; null: it does not expire.' })),
    sandbox: Type.Boolean({ description: 'It pays with play money.' }),
    created_at: timestamp,
  },
  { title: 'PaymentMethod' },
)

/** Without the processor's own identifiers, which open nothing here. */
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
