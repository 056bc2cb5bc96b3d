import { colorsOf } from './colors.ts'

/** One value of a stacked chart: its place along the axis and its series. */
export interface Cell {
  at: string
  /** Null for values without a name, such as untagged requests. */
  name: string | null
  /** Pico-USD, requests or tokens. */
  value: bigint
}

export interface StackSeries {
  key: string
  name: string
  color: string
  total: bigint
}

/** One bar, and its parts in the order of the series. */
export interface StackRow {
  at: string
  total: bigint
  values: bigint[]
}

export interface Stack {
  series: StackSeries[]
  rows: StackRow[]
}

/** The most series that can be told apart. */
const maxSeries = 7
const restName = 'everything else'

/**
 * Builds bars from cells: the largest series get a color each, the rest becomes one series.
 * @param ats all places along the axis, also those without cells
 * @param nameless the label for cells without a name
 */
export function stackOf(cells: readonly Cell[], ats: readonly string[], nameless: string): Stack {
  const totals = new Map<string, bigint>()
  for (const { name, value } of cells) add(totals, name ?? nameless, value)
  const ranked = [...totals].toSorted(([, left], [, right]) => (left < right ? 1 : left > right ? -1 : 0))
  const own = ranked.length > maxSeries ? ranked.slice(0, maxSeries - 1) : ranked
  const indexes = new Map(own.map(([name], index) => [name, index]))
  const hasRest = own.length < ranked.length
  const width = own.length + (hasRest ? 1 : 0)
  const values = new Map(ats.map((at) => [at, Array<bigint>(width).fill(0n)]))
  for (const { at, name, value } of cells) {
    const row = values.get(at)
    if (row === undefined) continue
    const index = indexes.get(name ?? nameless) ?? own.length
    row[index] = (row[index] ?? 0n) + value
  }
  const colors = colorsOf(own.map(([name]) => name))
  const series: StackSeries[] = own.map(([name, total], index) => ({
    key: `s${index}`,
    name,
    color: colors[index]!,
    total,
  }))
  const rest = ranked.slice(own.length).reduce((sum, [, total]) => sum + total, 0n)
  if (hasRest) series.push({ key: 'rest', name: restName, color: 'var(--chart-rest)', total: rest })
  return { series, rows: ats.map((at) => rowOf(at, values.get(at) ?? [])) }
}

function rowOf(at: string, values: bigint[]): StackRow {
  return { at, values, total: values.reduce((sum, value) => sum + value, 0n) }
}

function add(totals: Map<string, bigint>, name: string, value: bigint): void {
  totals.set(name, (totals.get(name) ?? 0n) + value)
}
