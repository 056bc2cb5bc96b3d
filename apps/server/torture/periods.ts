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

/** The end of whichever of the periods touches the stretch last, or the end of the stretch. */
export function endOfLast(periods: readonly Period[], fromMs: number, toMs: number): number {
  const touching = periods.filter((period) => period.fromMs <= toMs && period.toMs >= fromMs)
  return Math.max(toMs, ...touching.map((period) => period.toMs))
}
