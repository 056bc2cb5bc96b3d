import type { ColumnType } from 'kysely'

/** Both engines return every integer as a bigint. Stores narrow those that are not money. */
export type Integer = ColumnType<bigint, bigint | number, bigint | number>
/** A column with a default, which an insert may omit. */
export type DefaultedInteger = ColumnType<bigint, bigint | number | undefined, bigint | number>
export type NullableInteger = ColumnType<bigint | null, bigint | number | null, bigint | number | null>
