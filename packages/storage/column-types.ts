import type { ColumnType } from 'kysely'

/**
 * Both engines answer every integer as a bigint; what is not money is narrowed with `Number()` by its
 * store.
 */
export type Integer = ColumnType<bigint, bigint | number, bigint | number>
/** The column's default where nothing is said. */
export type DefaultedInteger = ColumnType<bigint, bigint | number | undefined, bigint | number>
export type NullableInteger = ColumnType<bigint | null, bigint | number | null, bigint | number | null>
