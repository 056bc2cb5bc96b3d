import type { SqliteValue, WithoutId, WorkerRequest } from './messages.ts'

type InsertRequest = Extract<WithoutId<WorkerRequest>, { kind: 'insert' }>

/** Some rows of an insert, as one statement. */
export interface RowsInsert {
  sql: string
  parameters: SqliteValue[]
}

/** Rows per statement. Each number has its own prepared statement. */
const rowsAtOnce = [32, 8, 1]

/**
 * Splits an insert into statements of many rows, since much of a row's cost is that of its statement and of
 * its parameters. Columns that are marked as shared are bound once per statement if all of its rows have the
 * same values there: a request's row takes 2.8 µs instead of 4.0 then.
 */
export function* insertsOf(request: InsertRequest): Generator<RowsInsert> {
  const { width, shared, values } = request
  const isShared = Array.from({ length: width }, (_, column) => shared.includes(column))
  const texts = new Map<string, string>()
  const textOf = (rows: number, sharing: boolean): string => {
    const name = `${rows} ${sharing}`
    const text =
      texts.get(name) ?? (sharing ? sharingText(request, isShared, rows) : plainText(request, rows))
    texts.set(name, text)
    return text
  }
  for (let start = 0; start < values.length;) {
    const rows = rowsAtOnce.find((count) => start + count * width <= values.length)!
    const end = start + rows * width
    const sharing = rows > 1 && shared.length > 0 && haveSame(values, { start, end, width }, shared)
    const parameters = sharing
      ? sharedParameters(values, { start, end, width }, isShared)
      : values.slice(start, end)
    yield { sql: textOf(rows, sharing), parameters }
    start = end
  }
}

/** A statement with a parameter for each value of each row. */
export function plainText({ into, conflict, width }: InsertRequest, rows: number): string {
  return `${into} VALUES ${rowMarks(rows, width)}${conflict}`
}

/** A statement with one parameter for each shared column, and then one for each other value of each row. */
function sharingText({ into, conflict }: InsertRequest, isShared: readonly boolean[], rows: number): string {
  let [once, each] = [0, 0]
  const columns = isShared.map((is) => (is ? `once.column${++once}` : `each.column${++each}`))
  const from = `(VALUES ${rowMarks(1, once)}) AS once, (VALUES ${rowMarks(rows, each)}) AS each`
  // Without WHERE, SQLite would take the conflict clause for that of a join.
  return `${into} SELECT ${columns.join(', ')} FROM ${from} WHERE true${conflict}`
}

function rowMarks(rows: number, width: number): string {
  const row = `(${Array.from({ length: width }, () => '?').join(', ')})`
  return Array.from({ length: rows }, () => row).join(', ')
}

interface Rows {
  start: number
  end: number
  width: number
}

function haveSame(
  values: readonly SqliteValue[],
  { start, end, width }: Rows,
  columns: readonly number[],
): boolean {
  for (const column of columns) {
    const first = values[start + column]
    for (let at = start + width + column; at < end; at += width) if (values[at] !== first) return false
  }
  return true
}

function sharedParameters(
  values: readonly SqliteValue[],
  { start, end, width }: Rows,
  isShared: readonly boolean[],
): SqliteValue[] {
  const parameters: SqliteValue[] = []
  for (let column = 0; column < width; column++)
    if (isShared[column]!) parameters.push(values[start + column]!)
  for (let row = start; row < end; row += width)
    for (let column = 0; column < width; column++)
      if (!isShared[column]!) parameters.push(values[row + column]!)
  return parameters
}
