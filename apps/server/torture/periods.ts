/** A stretch of time, in Unix epoch milliseconds. */
export interface Period {
  fromMs: number
  /** Infinity while it lasts. */
  toMs: number
}

/** Begins a period that lasts until it is closed. */
export function begin(periods: Period[]): { end: () => void } {
  const period = { fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY }
  periods.push(period)
  return {
    end: () => {
      period.toMs = Date.now()
    },
  }
}

export function overlaps(periods: readonly Period[], fromMs: number, toMs: number): boolean {
  return periods.some((period) => period.fromMs <= toMs && period.toMs >= fromMs)
}

/** The moment, or the end of the period that it falls into. */
export function endAfter(periods: readonly Period[], atMs: number): number {
  return Math.max(
    atMs,
    ...periods.filter(({ fromMs, toMs }) => fromMs <= atMs && toMs >= atMs).map(({ toMs }) => toMs),
  )
}
