import { expiryOf, spendPeriods } from '@turnpike/api'
import { badInput } from '../../failure.ts'
import { choice, list, text } from '../../program/command.ts'
import { usdAmount } from '../../program/number-option.ts'

/** `gateway` removes the key's own setting. */
const unsupportedFieldsRules = ['refuse', 'drop', 'gateway'] as const
const logRules = ['on', 'off', 'account'] as const

/** Options that limit a key when it is created or changed. */
export const limitOptions = {
  expires: text('time', 'Expiry: a duration such as 12h, 30d or 8w, or a date such as 2027-01-31 (UTC)'),
  model: list('id', 'A model it may call; repeat for several (default: all)'),
  spendLimit: text('usd', 'Spend limit in USD; 0 allows only free models'),
  spendLimitPeriod: choice('period', 'Period of the spend limit (default total)', spendPeriods),
  drawsOn: text('id', 'The key whose credit it spends (default: the account’s oldest); own: its own credit'),
  unsupportedFields: choice(
    'rule',
    "Refuse or drop fields that a vendor does not support (gateway: the gateway's setting)",
    unsupportedFieldsRules,
  ),
  log: choice('rule', "Keep its prompts and answers (account: the account's setting)", logRules),
}

interface Limits {
  expires: string | undefined
  model: string[]
  spendLimit: string | undefined
  spendLimitPeriod: string | undefined
  drawsOn?: string | undefined
  unsupportedFields?: string | undefined
  log?: string | undefined
}

/** The limits as the API takes them; an absent one changes nothing. */
export function limitsBody(
  { expires, model, spendLimit, spendLimitPeriod, drawsOn, unsupportedFields: rule, log }: Limits,
  nowMs: number,
): object {
  return {
    ...(expires !== undefined && { expires_at: expires === 'never' ? null : requireExpiry(expires, nowMs) }),
    ...(model.length > 0 && { allowed_models: model.includes('all') ? null : model }),
    ...(spendLimit !== undefined && {
      spend_limit_usd:
        spendLimit === 'none' ? null : usdAmount(spendLimit, '--spend-limit', { mayBeZero: true }),
    }),
    ...(spendLimitPeriod !== undefined && { spend_limit_period: spendLimitPeriod }),
    ...(drawsOn !== undefined && { draws_on: drawsOn === 'own' ? null : drawsOn }),
    ...(rule !== undefined && { unsupported_fields: rule === 'gateway' ? null : rule }),
    ...(log !== undefined && { log_prompts: log === 'account' ? null : log === 'on' }),
  }
}

/** Epoch seconds. */
function requireExpiry(expires: string, nowMs: number): number {
  const expiry = expiryOf(expires, nowMs)
  if (expiry !== undefined) return expiry
  throw badInput(
    `--expires: expected a duration such as 30d, or a future date such as 2027-01-31, got "${expires}".`,
    '--expires',
  )
}
