import { seededRandom } from '../training/random.ts'

/** A figure with its 95 % confidence interval. */
export interface Estimate {
  value: number
  low: number
  high: number
}

const samples = 200
const seed = 7

/** Percentile bootstrap: calls `figure` with the indexes of samples that are drawn with replacement. */
export function estimate(count: number, figure: (indexes: Int32Array) => number): Estimate {
  const random = seededRandom(seed)
  const all = Int32Array.from({ length: count }, (_, index) => index)
  const drawn = Float64Array.from({ length: samples }, () =>
    figure(all.map(() => Math.floor(random() * count))),
  ).sort()
  return {
    value: figure(all),
    low: drawn[Math.floor(samples * 0.025)]!,
    high: drawn[Math.ceil(samples * 0.975) - 1]!,
  }
}

export function formatEstimate({ value, low, high }: Estimate, digits = 3): string {
  return `${value.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`
}

export function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`
}

export function formatPercent({ value, low, high }: Estimate): string {
  return `${percent(value)} (${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)})`
}
