/** Money: a number to a spreadsheet, also below zero, where a text would be taken for a formula. */
export interface Amount {
  amount: string
}

export type Cell = string | number | boolean | null | Amount

/** By name of the column, in order. Never reorder: people's imports count them. New ones go to the end. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

const lineEnd = '\r\n'

/** Rows as lines of RFC 4180, their ends included. */
export interface CsvFormat<Row> {
  header: string
  line: (row: Row) => string
}

export function csvFormat<Row>(columns: Columns<Row>): CsvFormat<Row> {
  const cells = Object.values(columns)
  return {
    header: Object.keys(columns).join(',') + lineEnd,
    line: (row) => cells.map((cell) => csvCell(cell(row))).join(',') + lineEnd,
  }
}

export function csvCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'object') return value.amount
  if (typeof value !== 'string') return String(value)
  const text = harmless(value)
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * A spreadsheet runs a cell that begins with one of these as a formula, and callers choose their tags and
 * model names: an apostrophe before it makes it text (https://owasp.org/www-community/attacks/CSV_Injection).
 * Also behind what a spreadsheet set to another separator takes for the beginning of a cell.
 */
function harmless(text: string): string {
  return text.replaceAll(/(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠\t\r])/g, "'")
}
