import { sql, type RawBuilder } from 'kysely'
import { joinSum } from '../database/wide-sum.ts'

const left = sql`topups.paid_pico - topups.refunded_pico - topups.disputed_pico`

/**
 * All that an account has paid, less what went back, beside a row of `accounts`; in halves, as every sum that
 * may outgrow 64 bits.
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
