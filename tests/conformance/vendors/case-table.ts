/** What was replayed, printed at the end of a test run: a row per vendor, a column per kind of case. */
export class CaseTable {
  readonly #title: string
  readonly #columns: readonly string[]
  readonly #rows = new Map<string, Map<string, number>>()

  constructor(title: string, columns: readonly string[]) {
    this.#title = title
    this.#columns = columns
  }

  /** Counts a passed case; a failed one is not counted. */
  count(row: string, column: string): void {
    const counts = this.#rows.get(row) ?? new Map<string, number>()
    this.#rows.set(row, counts)
    counts.set(column, (counts.get(column) ?? 0) + 1)
  }

  toString(): string {
    const rows = [...this.#rows].toSorted(([one], [other]) => one.localeCompare(other))
    const sums = new Map<string, number>()
    for (const [, counts] of rows)
      for (const [column, cases] of counts) sums.set(column, (sums.get(column) ?? 0) + cases)
    const lines = [...rows, ['all', sums] as const].map(([name, counts]) => this.#line(name, counts))
    const titles = this.#columns.map((column) => column.padStart(columnWidth))
    return [this.#title, ' '.repeat(nameWidth) + titles.join(''), ...lines].join('\n')
  }

  #line(name: string, counts: ReadonlyMap<string, number>): string {
    const cells = this.#columns.map((column) => String(counts.get(column) ?? '').padStart(columnWidth))
    return name.padEnd(nameWidth) + cells.join('')
  }
}

const nameWidth = 44
const columnWidth = 12
