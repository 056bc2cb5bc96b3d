import { sql, type RawBuilder } from 'kysely'
import { joinSum } from '../database/wide-sum.ts'

const left = sql`topups.paid_pico - topups.refunded_pico - topups.disputed_pico`

/**
 * What an account has paid in total, minus what went back, next to a row of `accounts`. In halves, like every
 * sum that may exceed 64 bits.
 */
export const lifetimeTopup = [
  sumOf(sql`(${left}) >> 32`).as('topup_high'),
  sumOf(sql`(${left}) & 4294967295`).as('topup_low'),
] as const

export function toLifetimePico(row: { topup_high: bigint | null; topup_low: bigint | null }): bigint {
  return joinSum({ high: row.topup_high, low: row.topup_low })
}

function sumOf(part: RawBuilder<unknown>): RawBuilder<bigint | null> {
  return sql<bigint | null>`(SELECT sum(${part}) FROM topups WHERE topups.account_id = accounts.id)`
}
