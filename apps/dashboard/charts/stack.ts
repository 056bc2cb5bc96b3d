/** What a stacked chart shows: one value at one place along the axis, of one series. */
export interface Cell {
  at: string
  /** Null: of none, as an untagged request is. */
  name: string | null
  /** Pico-USD, requests or tokens. */
  value: bigint
}

export interface StackSeries {
  /** Where the row has its length: `s0`. */
  key: string
  name: string
  color: string
  total: bigint
}

/** One bar. The lengths are floats, for the drawing alone; what is said of them is in `values`. */
export interface StackRow {
  at: string
  total: bigint
  values: bigint[]
  [key: `s${number}`]: number
}

export interface Stack {
  series: StackSeries[]
  rows: StackRow[]
}

/** As many colors as can be told apart. */
const maxSeries = 7
const restName = 'everything else'

/**
 * Cells as bars: the largest series by their own color, what is left as one.
 * @param ats every place along the axis, those without a cell too
 * @param nameless what cells without a name are called
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
  const series = own.map(([name, total], index) => seriesAt(index, name, total))
  const rest = ranked.slice(own.length).reduce((sum, [, total]) => sum + total, 0n)
  if (hasRest) series.push({ ...seriesAt(own.length, restName, rest), color: 'var(--chart-rest)' })
  return { series, rows: ats.map((at) => rowOf(at, values.get(at) ?? [])) }
}

function seriesAt(index: number, name: string, total: bigint): StackSeries {
  return { key: `s${index}`, name, color: `var(--chart-${index + 1})`, total }
}

function rowOf(at: string, values: bigint[]): StackRow {
  const row: StackRow = { at, values, total: values.reduce((sum, value) => sum + value, 0n) }
  for (const [index, value] of values.entries()) row[`s${index}`] = Number(value)
  return row
}

function add(totals: Map<string, bigint>, name: string, value: bigint): void {
  totals.set(name, (totals.get(name) ?? 0n) + value)
}
