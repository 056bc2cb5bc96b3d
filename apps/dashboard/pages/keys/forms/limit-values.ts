import type { Schemas } from '../../../api/client.ts'
import { secondsFromNow } from '../../../format/time.ts'

export const spendPeriods = ['day', 'week', 'month', 'total'] as const

export const promptLogRules = ['account', 'on', 'off'] as const

export const topUpRules = ['account', 'on', 'off'] as const

export const unsupportedFieldsRules = ['gateway', 'refuse', 'drop'] as const

/** As the form holds it; an empty text means no limit. */
export interface SpendLimit {
  spendUsd: string
  spendPeriod: (typeof spendPeriods)[number]
}

/** The settings of a key as the form holds them. */
export interface LimitValues extends SpendLimit {
  models: string[]
  /** Days from now; `kept`: unchanged. */
  expiry: string
  /** What happens to fields that a vendor does not support; `gateway`: as the operator configured it. */
  unsupportedFields: (typeof unsupportedFieldsRules)[number]
  /** Whether prompts and answers are kept; `account`: the account's setting. */
  promptLog: (typeof promptLogRules)[number]
  /** Whether its 402 responses contain a link to pay by; `account`: the account's setting. */
  topUp: (typeof topUpRules)[number]
}

export const noLimits: LimitValues = {
  spendUsd: '',
  spendPeriod: 'month',
  models: [],
  expiry: '',
  unsupportedFields: 'gateway',
  promptLog: 'account',
  topUp: 'account',
}

export function limitsOf(key: Schemas['Key']): LimitValues {
  return {
    spendUsd: key.spend_limit_usd ?? '',
    spendPeriod: key.spend_limit_period ?? 'month',
    models: key.allowed_models ?? [],
    expiry: key.expires_at === null ? '' : 'kept',
    unsupportedFields: key.unsupported_fields ?? 'gateway',
    promptLog: ruleOf(key.log_prompts),
    topUp: ruleOf(key.may_top_up),
  }
}

function ruleOf(value: boolean | null): 'account' | 'on' | 'off' {
  return value === null ? 'account' : value ? 'on' : 'off'
}

function valueOf(rule: 'account' | 'on' | 'off'): boolean | null {
  return rule === 'account' ? null : rule === 'on'
}

export function spendLimitBody({ spendUsd, spendPeriod }: SpendLimit) {
  const spend = spendUsd.trim()
  return {
    spend_limit_usd: spend === '' ? null : spend,
    spend_limit_period: spend === '' ? null : spendPeriod,
  }
}

/** The request body: only values that changed. */
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
    ...(values.promptLog !== before.promptLog && { log_prompts: valueOf(values.promptLog) }),
    ...(values.topUp !== before.topUp && { may_top_up: valueOf(values.topUp) }),
  }
}
