import type { Screen } from '../terminal/screen.ts'
import { facts, table, type Column } from '../terminal/table.ts'
import { oneLine } from '../terminal/text-width.ts'
import { when } from '../terminal/time.ts'
import type { Output } from './output.ts'
import type { Result } from './result.ts'

type Row = Record<string, unknown>

/** Writes a command's result to stdout: as JSON, or for people; all of it, or the requested fields. */
export function showResult(result: Result, fields: readonly string[] | undefined, output: Output): void {
  if (result === undefined) return
  if (result.kind === 'record') {
    const value = result.value as Row
    if (output.isJson) output.json(fields === undefined ? value : pickFields(value, fields))
    else
      output.write(fields === undefined ? result.text(output.screen) : factsOf(value, fields, output.screen))
    return
  }
  const data = result.list.data as Row[]
  if (output.isJson) {
    output.json(
      fields === undefined
        ? result.list
        : { ...result.list, data: data.map((row) => pickFields(row, fields)) },
    )
    return
  }
  const shown = result.rest === undefined ? data : [...data, result.rest as Row]
  if (shown.length === 0) output.say(result.empty)
  else output.write(table(shown, columnsOf(result.columns as Column<Row>[], fields), output.screen))
  if (result.list.has_more) output.say(output.messages.style.dim(result.more))
}

function pickFields(value: Row, fields: readonly string[]): Row {
  return Object.fromEntries(fields.map((field) => [field, value[field] ?? null]))
}

/** A field without a column in the table is shown unchanged. */
function columnsOf(columns: Column<Row>[], fields: readonly string[] | undefined): Column<Row>[] {
  if (fields === undefined) return columns
  return fields.map(
    (field) =>
      columns.find((column) => column.field === field) ?? {
        field,
        title: field.toUpperCase().replaceAll('_', ' '),
        text: (row, screen) => fieldText(field, row[field], screen),
      },
  )
}

/** Into a pipe, a single field is the bare value, for `$(…)`. */
function factsOf(value: Row, fields: readonly string[], screen: Screen): string {
  if (!screen.isTerminal) return `${fields.map((field) => oneLine(asText(value[field]))).join('\t')}\n`
  const values = fields.map((field) => oneLine(fieldText(field, value[field], screen)))
  return facts(
    fields.map((field, index) => [field, values[index]!] as const),
    screen,
  )
}

function fieldText(field: string, value: unknown, screen: Screen): string {
  return typeof value === 'number' && field.endsWith('_at') ? when(value, screen) : asText(value)
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
