import type { ApiKey } from '@turnpike/identity'
import {
  invalidRequest,
  spendLimitPeriods,
  unsupportedFieldsRules,
  type GatewayError,
} from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { amountOf } from '../amount.ts'
import { epochSeconds, lastTimestamp, nullable, usdAmount } from '../validation/fields.ts'

const maxAllowedModels = 200

/** The limits of a key, in requests that create and change keys; null removes a limit. */
const limitFields = {
  expires_at: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: lastTimestamp,
        'x-expected': 'a future time, in Unix epoch seconds,',
      }),
    ),
  ),
  allowed_models: Type.Optional(
    nullable(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: maxAllowedModels }),
    ),
  ),
  spend_limit_usd: Type.Optional(nullable(usdAmount)),
  spend_limit_period: Type.Optional(nullable(Type.Enum([...spendLimitPeriods]))),
}

/** Everything a request may set on a key, besides its name; null: the default. */
export const settingFields = {
  ...limitFields,
  unsupported_fields: Type.Optional(nullable(Type.Enum([...unsupportedFieldsRules]))),
  log_prompts: Type.Optional(nullable(Type.Boolean())),
  may_top_up: Type.Optional(
    nullable(
      Type.Boolean({
        description: 'Whether its 402 errors include a payment link; null: the account’s setting.',
      }),
    ),
  ),
}

const settingsSchema = Type.Object(settingFields)
type SettingsBody = Static<typeof settingsSchema>

export type KeySettings = Pick<
  ApiKey,
  | 'expiresAtMs'
  | 'allowedModels'
  | 'spendLimitPico'
  | 'spendLimitPeriod'
  | 'unsupportedFields'
  | 'logPrompts'
  | 'mayTopUp'
>

export const noSettings: KeySettings = {
  expiresAtMs: null,
  allowedModels: null,
  spendLimitPico: null,
  spendLimitPeriod: null,
  unsupportedFields: null,
  logPrompts: null,
  mayTopUp: null,
}

/** Only the fields that a request names, so that simultaneous changes do not undo each other. */
export function settingChanges(body: SettingsBody, nowMs: number): Partial<KeySettings> {
  return {
    ...(body.expires_at !== undefined && { expiresAtMs: expiryOf(body.expires_at, nowMs) }),
    ...(body.allowed_models !== undefined && { allowedModels: distinct(body.allowed_models) }),
    ...(body.unsupported_fields !== undefined && { unsupportedFields: body.unsupported_fields }),
    ...(body.log_prompts !== undefined && { logPrompts: body.log_prompts }),
    ...(body.may_top_up !== undefined && { mayTopUp: body.may_top_up }),
    ...spendLimitChanges(body),
  }
}

function expiryOf(expiresAt: number | null, nowMs: number): number | null {
  if (expiresAt === null) return null
  if (expiresAt <= epochSeconds(nowMs)) {
    throw invalidRequest('expires_at', '`expires_at`: expected a future time, in Unix epoch seconds.')
  }
  return expiresAt * 1000
}

function distinct(models: string[] | null): string[] | null {
  return models === null ? null : [...new Set(models)]
}

/**
 * An amount without a period keeps the period (`total` if there was none), and a period without an amount
 * keeps the amount. Null as the amount removes both.
 */
function spendLimitChanges({
  spend_limit_usd: usd,
  spend_limit_period: period,
}: SettingsBody): Partial<Pick<KeySettings, 'spendLimitPico' | 'spendLimitPeriod'>> {
  if (usd === null) {
    if (period !== undefined && period !== null) throw limitIsMissing()
    return { spendLimitPico: null, spendLimitPeriod: null }
  }
  if (period === null)
    throw invalidRequest(
      'spend_limit_period',
      '`spend_limit_period`: expected a period. To remove the limit, set `spend_limit_usd` to null.',
    )
  return {
    ...(usd !== undefined && { spendLimitPico: notNegative(amountOf(usd, 'spend_limit_usd')) }),
    ...(period !== undefined && { spendLimitPeriod: period }),
  }
}

/** A key with a limit of 0 may only make free requests. */
function notNegative(pico: bigint): bigint {
  if (pico >= 0n) return pico
  throw invalidRequest('spend_limit_usd', '`spend_limit_usd`: expected 0 or more.')
}

/** For a request that sets only the period of a limit which the key does not have. */
export function limitIsMissing(): GatewayError {
  return invalidRequest(
    'spend_limit_usd',
    '`spend_limit_usd` is missing: `spend_limit_period` needs an amount.',
  )
}
