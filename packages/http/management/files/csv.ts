/** Money: always a number for spreadsheets. As a text, a negative amount would be taken for a formula. */
export interface Amount {
  amount: string
}

export type Cell = string | number | boolean | null | Amount

/** The columns by name. Never reorder them: people's imports count them. New ones go to the end. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

const lineEnd = '\r\n'

/** Formats rows as lines of RFC 4180, including line ends. */
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
 * A spreadsheet runs a cell that starts with one of these characters as a formula, and callers choose their
 * tags and model names. A leading apostrophe turns it into text
 * (https://owasp.org/www-community/attacks/CSV_Injection). The same applies behind characters that a
 * spreadsheet with another separator takes for the start of a cell.
 */
function harmless(text: string): string {
  return text.replaceAll(/(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠\t\r])/g, "'")
}
