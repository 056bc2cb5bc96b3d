interface CrossCell {
  pair: [string | null, string | null]
  value: bigint
}

export interface CrossRow {
  name: string | null
  /** By column. */
  values: bigint[]
  total: bigint
  /** A row that sums up others: further rows, further cells whose names are unknown, or all of them. */
  rest?: 'rows' | 'cells' | 'total'
}

/** Sums that are known separately: those of cells that overlap would be too large. */
export interface KnownSums {
  all: bigint | undefined
  /** The sums of one side by name; undefined if the cells do not overlap across the other side. */
  rows: ReadonlyMap<string | null, bigint> | undefined
  columns: ReadonlyMap<string | null, bigint> | undefined
}

export interface Cross {
  columns: { name: string | null; isRest: boolean }[]
  rows: CrossRow[]
  /** The sum of each column, and of all. */
  total: CrossRow
}

const unknown: KnownSums = { all: undefined, rows: undefined, columns: undefined }
const maxColumns = 7
const maxRows = 100

/**
 * A cross table, the largest rows and columns first; the remaining ones are summed up.
 * @param further the sum of the cells that are not in `cells`
 */
export function crossOf(cells: readonly CrossCell[], further: bigint, known: KnownSums = unknown): Cross {
  const columnTotals = totalsBy(cells, 1)
  const own = columnTotals.length > maxColumns ? columnTotals.slice(0, maxColumns - 1) : columnTotals
  const indexes = new Map(own.map(([name], index) => [name, index]))
  const hasRest = own.length < columnTotals.length
  const rows = new Map<string | null, bigint[]>()
  for (const { pair, value } of cells) {
    const values = rows.get(pair[0]) ?? Array<bigint>(own.length + (hasRest ? 1 : 0)).fill(0n)
    rows.set(pair[0], values)
    const index = indexes.get(pair[1]) ?? own.length
    values[index] = (values[index] ?? 0n) + value
  }
  const ranked = totalsBy(cells, 0).map(([name, sum]) => ({
    name,
    total: known.rows?.get(name) ?? sum,
    values: rows.get(name) ?? [],
  }))
  const sums = new Map(columnTotals)
  const ownSums = own.map(([name]) => known.columns?.get(name) ?? sums.get(name) ?? 0n)
  const restSum = columnTotals.slice(own.length).reduce((sum, [, total]) => sum + total, 0n)
  const all = known.all ?? ranked.reduce((sum, { total }) => sum + total, further)
  return {
    columns: [
      ...own.map(([name]) => ({ name, isRest: false })),
      ...(hasRest ? [{ name: null, isRest: true }] : []),
    ],
    rows: [
      ...ranked.slice(0, maxRows),
      ...(ranked.length > maxRows ? [sumRows(ranked.slice(maxRows))] : []),
      ...(further > 0n ? [{ name: null, values: [], total: further, rest: 'cells' as const }] : []),
    ],
    total: { name: null, values: [...ownSums, ...(hasRest ? [restSum] : [])], total: all, rest: 'total' },
  }
}

function sumRows(rows: readonly CrossRow[]): CrossRow {
  const [first, ...others] = rows
  const sum: CrossRow = { name: null, values: [...first!.values], total: first!.total, rest: 'rows' }
  for (const { values, total } of others) {
    for (const [index, value] of values.entries()) sum.values[index] = (sum.values[index] ?? 0n) + value
    sum.total += total
  }
  return sum
}

function totalsBy(cells: readonly CrossCell[], side: 0 | 1): [string | null, bigint][] {
  const totals = new Map<string | null, bigint>()
  for (const { pair, value } of cells) totals.set(pair[side], (totals.get(pair[side]) ?? 0n) + value)
  return [...totals].toSorted(([, left], [, right]) => (left < right ? 1 : left > right ? -1 : 0))
}
