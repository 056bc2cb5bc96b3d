import type { BudgetResult } from './budgets.ts'
import { measureNames, measures, ratio, type Measure, type Medians, type Rounds } from './figures.ts'

/** Measures whose ratio to the bare proxy says something. */
const compared = new Set<Measure>([
  'requestMicroseconds',
  'pacedMicroseconds',
  'eventMicroseconds',
  'translatedMicroseconds',
  'googleMicroseconds',
  'responsesMicroseconds',
])

export function resultTable(
  rounds: ReadonlyMap<string, Rounds>,
  medians: ReadonlyMap<string, Medians>,
): string {
  const rows = [['', ...measureNames.map((name) => measures[name].title)]]
  for (const [subject, values] of medians) {
    const cells = measureNames.map((name) => {
      const value = shown(values[name], measures[name].digits)
      if (!compared.has(name) || subject === 'bare' || !rounds.has('bare')) return value
      return `${value} (${shown(ratio(rounds.get(subject)!, rounds.get('bare'), name), 2)}×)`
    })
    rows.push([subject, ...cells])
  }
  return aligned(rows)
}

export function budgetTable(budgets: readonly BudgetResult[]): string {
  const rows = [['budget', 'limit', 'measured', '']]
  for (const { what, budget, measured, pass } of budgets)
    rows.push([
      what,
      budget,
      shown(measured, 2),
      pass === undefined ? 'not measured' : pass ? 'pass' : 'MISS',
    ])
  return aligned(rows)
}

function shown(value: number, digits: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(digits)
}

/** The first column to the left, the others to the right. */
export function aligned(rows: readonly string[][]): string {
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
