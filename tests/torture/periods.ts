/** A stretch of time, in Unix epoch milliseconds. */
export interface Period {
  fromMs: number
  /** Infinity while it lasts. */
  toMs: number
}

/** Begins a period that lasts until `end` is called. */
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

/**
 * The end of the stretch, or of the last period that touches it. Each such period extends the stretch, so
 * that a period which follows within `withinMs` touches it too.
 */
export function endOfLast(
  periods: readonly Period[],
  fromMs: number,
  toMs: number,
  withinMs: number,
): number {
  let endMs = toMs
  let reachMs = toMs
  for (const period of periods.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (period.toMs < fromMs || period.fromMs > reachMs) continue
    endMs = Math.max(endMs, period.toMs)
    reachMs = endMs + withinMs
  }
  return endMs
}
