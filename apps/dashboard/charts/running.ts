import type { Stack } from './stack.ts'

/**
 * The same stack as running sums. Places in the future have no bar.
 * @param nowMs Unix epoch milliseconds
 */
export function runningOf({ series, rows }: Stack, nowMs: number): Stack {
  const sums = series.map(() => 0n)
  return {
    series,
    rows: rows.map(({ at, values }) => {
      if (Date.parse(at) > nowMs) return { at, total: 0n, values: values.map(() => 0n) }
      for (const [index, value] of values.entries()) sums[index] = (sums[index] ?? 0n) + value
      return { at, total: sums.reduce((sum, one) => sum + one, 0n), values: [...sums] }
    }),
  }
}
