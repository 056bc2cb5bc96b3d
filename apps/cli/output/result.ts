import type { List } from '@turnpike/api'
import type { Screen } from '../terminal/screen.ts'
import type { Column } from '../terminal/table.ts'

/** One thing, and how people read it. */
interface RecordResult {
  kind: 'record'
  value: object
  text: (screen: Screen) => string
}

/** Rows, whose columns `--fields` picks. */
interface ListResult {
  kind: 'list'
  list: List<object>
  columns: Column<never>[]
  /** What is said in place of a table without rows. */
  empty: string
  /** What is said where there are more rows than these. */
  more: string
  /** A last row of the table, of all that follow; JSON tells of them in its own place. */
  rest: object | undefined
}

/** What a command has to show; undefined where it has said everything itself. */
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
