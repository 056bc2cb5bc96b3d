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

/** What a key may be limited by, in requests that make and change keys; null takes a limit away. */
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

/** All that requests may say of a key, besides its name; null: as it is where nobody says. */
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

/**
 * What a request changes of a key's settings: the fields that it names and no others, so that two changes at
 * the same moment do not undo each other.
 */
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
 * An amount without a period leaves the period as it is (`total` where there was none), a period without an
 * amount the amount. Null as the amount takes both away.
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

/** Of 0 a key may use what costs nothing. */
function notNegative(pico: bigint): bigint {
  if (pico >= 0n) return pico
  throw invalidRequest('spend_limit_usd', '`spend_limit_usd`: expected 0 or more.')
}

/** A period alone is a change of the limit that a key has. */
export function limitIsMissing(): GatewayError {
  return invalidRequest(
    'spend_limit_usd',
    '`spend_limit_usd` is missing: `spend_limit_period` needs an amount.',
  )
}
