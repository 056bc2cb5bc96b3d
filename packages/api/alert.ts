import type { Schemas } from './schema.ts'

/** The kinds of alerts that an account can have. */
export const alertKinds = [
  'balance',
  'runway',
  'unusual_spend',
  'key_expiry',
] as const satisfies readonly AlertRule['kind'][]

/** `GET /api/v1/alerts`. */
export type AlertRule = Schemas['AlertRule']

export const alertFields = [
  'kind',
  'enabled',
  'threshold_usd',
  'days',
  'raised',
] as const satisfies readonly (keyof AlertRule)[]
