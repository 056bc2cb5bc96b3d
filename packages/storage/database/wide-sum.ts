import { sql, type RawBuilder } from 'kysely'

/**
 * Sums of 64-bit amounts that may exceed 64 bits, which SQLite's `sum` rejects: the high and low halves are
 * summed separately and joined here. Valid for up to 2^31 rows.
 */
export interface WideSum {
  high: bigint | null
  low: bigint | null
}

const halfBits = 32n
const lowBits = (1n << halfBits) - 1n

export function highSum(column: string): RawBuilder<bigint | null> {
  return sql<bigint | null>`sum(${sql.ref(column)} >> 32)`
}

export function lowSum(column: string): RawBuilder<bigint | null> {
  return sql<bigint | null>`sum(${sql.ref(column)} & 4294967295)`
}

/** The sum; 0 for no rows. */
export function joinSum({ high, low }: WideSum): bigint {
  return ((high ?? 0n) << halfBits) + (low ?? 0n)
}

/** Splits an amount into the halves that the two functions above sum. */
export function splitSum(amount: bigint): { high: bigint; low: bigint } {
  return { high: amount >> halfBits, low: amount & lowBits }
}
