import type { Schemas } from '../../api/client.ts'
import { secondsFromNow } from '../../format/time.ts'

export const spendPeriods = ['day', 'week', 'month', 'total'] as const

export const promptLogRules = ['account', 'on', 'off'] as const

export const unsupportedFieldsRules = ['gateway', 'refuse', 'drop'] as const

/** As a form holds it; an empty text is no limit. */
export interface SpendLimit {
  spendUsd: string
  spendPeriod: (typeof spendPeriods)[number]
}

/** The limits of a key as a form holds them. */
export interface LimitValues extends SpendLimit {
  models: string[]
  /** Days from now; `kept`: as it is. */
  expiry: string
  /** Of fields that a vendor cannot honour; `gateway`: as the operator has it. */
  unsupportedFields: (typeof unsupportedFieldsRules)[number]
  /** Whether prompts and answers are kept; `account`: as the account has it. */
  promptLog: (typeof promptLogRules)[number]
}

export const noLimits: LimitValues = {
  spendUsd: '',
  spendPeriod: 'month',
  models: [],
  expiry: '',
  unsupportedFields: 'gateway',
  promptLog: 'account',
}

export function limitsOf(key: Schemas['Key']): LimitValues {
  return {
    spendUsd: key.spend_limit_usd ?? '',
    spendPeriod: key.spend_limit_period ?? 'month',
    models: key.allowed_models ?? [],
    expiry: key.expires_at === null ? '' : 'kept',
    unsupportedFields: key.unsupported_fields ?? 'gateway',
    promptLog: key.log_prompts === null ? 'account' : key.log_prompts ? 'on' : 'off',
  }
}

export function spendLimitBody({ spendUsd, spendPeriod }: SpendLimit) {
  const spend = spendUsd.trim()
  return {
    spend_limit_usd: spend === '' ? null : spend,
    spend_limit_period: spend === '' ? null : spendPeriod,
  }
}

/** What of it the API is told: nothing of what stays as it was. */
export function limitsBody(values: LimitValues, nowMs: number, before: LimitValues = noLimits) {
  const spend = values.spendUsd.trim()
  const spendChanged =
    spend !== before.spendUsd || (spend !== '' && values.spendPeriod !== before.spendPeriod)
  return {
    ...(spendChanged && spendLimitBody(values)),
    ...(values.models.join('\n') !== before.models.join('\n') && {
      allowed_models: values.models.length === 0 ? null : values.models,
    }),
    ...(values.expiry !== before.expiry && {
      expires_at: values.expiry === '' ? null : secondsFromNow(Number(values.expiry), nowMs),
    }),
    ...(values.unsupportedFields !== before.unsupportedFields && {
      unsupported_fields: values.unsupportedFields === 'gateway' ? null : values.unsupportedFields,
    }),
    ...(values.promptLog !== before.promptLog && {
      log_prompts: values.promptLog === 'account' ? null : values.promptLog === 'on',
    }),
  }
}
