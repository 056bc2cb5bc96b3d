import type { BudgetResult } from './budgets.ts'
import { measureNames, measures, ratio, type Measure, type Medians, type Rounds } from './figures.ts'

/** The subjects that others are compared with: the minimum on Node, and the minimum at all. */
const references = ['bare', 'nginx']

/** Measures for which a ratio to those is meaningful. */
const compared = new Set<Measure>([
  'freshRequestMicroseconds',
  'requestMicroseconds',
  'pacedMicroseconds',
  'eventMicroseconds',
  'translatedMicroseconds',
  'googleMicroseconds',
  'responsesMicroseconds',
])

/** A row per measure, a column per subject; each value is followed by its ratios to the references. */
export function resultTable(
  rounds: ReadonlyMap<string, Rounds>,
  medians: ReadonlyMap<string, Medians>,
): string {
  const subjects = [...medians.keys()]
  const rows = [['', ...subjects]]
  for (const name of measureNames) {
    const { title, digits } = measures[name]
    const cells = subjects.map((subject) => {
      const value = formatFigure(medians.get(subject)![name], digits)
      const times = references
        .filter((other) => other !== subject && compared.has(name) && rounds.has(other))
        .map((other) => [other, ratio(rounds.get(subject)!, rounds.get(other), name)] as const)
        .filter(([, factor]) => !Number.isNaN(factor))
        .map(([other, factor]) => `${formatFigure(factor, 2)}× ${other}`)
      return times.length === 0 ? value : `${value} (${times.join(', ')})`
    })
    rows.push([title, ...cells])
  }
  return alignColumns(rows)
}

export function budgetTable(budgets: readonly BudgetResult[]): string {
  const rows = [['budget', 'limit', 'measured', '']]
  for (const { what, budget, measured, pass } of budgets)
    rows.push([
      what,
      budget,
      formatFigure(measured, 2),
      pass === undefined ? 'not measured' : pass ? 'pass' : 'MISS',
    ])
  return alignColumns(rows)
}

function formatFigure(value: number, digits: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(digits)
}

/** Aligns the first column to the left, the others to the right. */
export function alignColumns(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  )
  lines.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '))
  return lines.join('\n')
}
