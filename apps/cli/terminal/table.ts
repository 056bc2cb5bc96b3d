import type { Screen } from './screen.ts'
import type { Style } from './style.ts'
import { oneLine, pad, textWidth, truncate } from './text-width.ts'

export interface Column<Row> {
  /** The JSON field that it shows, by which `--fields` selects it. */
  field: string
  title: string
  align?: 'right'
  text: (row: Row, screen: Screen) => string
  paint?: (text: string, row: Row, style: Style) => string
  /** On a narrow terminal `drop` is removed first, and `keep` is never cut. */
  narrow?: 'drop' | 'keep'
}

const gap = 2
const leastWidth = 8
/** The width that a column keeps while other columns can still be removed. */
const comfortableWidth = 24

/**
 * A table that fits the terminal, or a list of rows if none fits. Into a pipe: one row per line, separated by
 * tabs, uncut and without a head.
 */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], screen: Screen): string {
  const cellsOf = (shown: readonly Column<Row>[]): string[][] =>
    rows.map((row) => shown.map((column) => oneLine(column.text(row, screen))))
  if (!screen.isTerminal)
    return cellsOf(columns)
      .map((cells) => `${cells.join('\t')}\n`)
      .join('')
  const { shown, widths, fits } = layout(rows, columns, screen)
  if (!fits) return stackRows(rows, shown, screen)
  const line = (cells: readonly string[], paint: (text: string, index: number) => string): string =>
    cells
      .map((cell, index) => {
        const width = widths[index]!
        const isLast = index === cells.length - 1 && shown[index]!.align !== 'right'
        const text = truncate(cell, width)
        const spaces = pad('', width - textWidth(text))
        const painted = paint(text, index)
        return shown[index]!.align === 'right' ? spaces + painted : painted + (isLast ? '' : spaces)
      })
      .join(' '.repeat(gap))
  const head = line(
    shown.map(({ title }) => title),
    (text) => screen.style.dim(text),
  )
  const body = cellsOf(shown).map((cells, rowIndex) =>
    line(cells, (text, index) => shown[index]!.paint?.(text, rows[rowIndex]!, screen.style) ?? text),
  )
  return [head, ...body].map((text) => `${text}\n`).join('')
}

/** The rows below each other, for a terminal that is too narrow for any table. */
function stackRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], screen: Screen): string {
  return rows
    .map((row) =>
      facts(
        columns.map((column) => {
          const cell = oneLine(column.text(row, screen))
          return [column.title.toLowerCase(), column.paint?.(cell, row, screen.style) ?? cell] as const
        }),
        screen,
      ),
    )
    .join('\n')
}

/** Which columns fit, and how wide each is. */
function layout<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  screen: Screen,
): { shown: Column<Row>[]; widths: number[]; fits: boolean } {
  const natural = new Map(
    columns.map((column) => {
      const widths = rows.map((row) => textWidth(oneLine(column.text(row, screen))))
      return [column, Math.max(textWidth(column.title), ...widths)]
    }),
  )
  const isEmpty = (column: Column<Row>): boolean => rows.every((row) => column.text(row, screen) === '')
  // A column that is empty in every row is left out.
  const shown = columns.filter((column) => !isEmpty(column))
  const total = (widths: number[]): number => widths.reduce((sum, width) => sum + width + gap, -gap)
  const widthsOf = (): number[] => shown.map((column) => natural.get(column)!)
  const comfortable = (): number[] =>
    widthsOf().map((width, index) =>
      shown[index]!.narrow === 'keep' ? width : Math.min(width, comfortableWidth),
    )
  while (total(comfortable()) > screen.width) {
    const last = shown.findLastIndex(({ narrow }) => narrow === 'drop')
    if (last === -1) break
    shown.splice(last, 1)
  }
  const widths = shrunk(widthsOf(), shown, (tried) => total(tried) - screen.width)
  return { shown, widths, fits: total(widths) <= screen.width }
}

/** Shrinks the widest column that can be cut, until all fit or none can shrink further. */
function shrunk<Row>(
  widths: number[],
  columns: readonly Column<Row>[],
  excess: (widths: number[]) => number,
): number[] {
  const fitting = [...widths]
  while (excess(fitting) > 0) {
    const cuttable = fitting
      .map((width, index) => ({ width, index }))
      .filter(({ width, index }) => columns[index]!.narrow !== 'keep' && width > leastWidth)
    const widest = cuttable.sort((a, b) => b.width - a.width)[0]
    if (widest === undefined) break
    fitting[widest.index]!--
  }
  return fitting
}

/** Names and values, aligned. */
export function facts(rows: readonly (readonly [string, string])[], { style }: Screen): string {
  const width = Math.max(...rows.map(([name]) => textWidth(name)))
  return rows.map(([name, value]) => `  ${style.dim(pad(name, width))}  ${value}\n`).join('')
}
