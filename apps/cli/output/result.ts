import type { List } from '@turnpike/api'
import type { Screen } from '../terminal/screen.ts'
import type { Column } from '../terminal/table.ts'

/** One object, and its text for people. */
interface RecordResult {
  kind: 'record'
  value: object
  text: (screen: Screen) => string
}

/** Rows, with columns that `--fields` selects. */
interface ListResult {
  kind: 'list'
  list: List<object>
  columns: Column<never>[]
  /** Printed instead of a table without rows. */
  empty: string
  /** Printed if there are more rows. */
  more: string
  /** A last row of the table for everything after it; JSON has that in a place of its own. */
  rest: object | undefined
}

/** A command's result; undefined if it has printed everything itself. */
export type Result = RecordResult | ListResult | undefined

export function record(value: object, text: (screen: Screen) => string): RecordResult {
  return { kind: 'record', value, text }
}

export function rows<Row extends object>(
  list: List<Row>,
  columns: Column<Row>[],
  empty: string,
  rest?: Row,
): ListResult {
  const more = 'There are more. Use --limit and --cursor to see them.'
  return { kind: 'list', list, columns, empty, more, rest }
}
