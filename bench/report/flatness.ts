import { median } from './statistics.ts'

/** How much a series may rise from its beginning to its end: the larger of the two. */
export interface Allowance {
  absolute: number
  /** As a share of the median. */
  relative: number
}

export interface Flatness {
  /** From first to last value, by the slope; negative if it falls. */
  rise: number
  allowed: number
  /** Undefined if there are too few values to distinguish a slope from noise. */
  flat: boolean | undefined
}

/** With fewer, a busy machine can cause any slope. */
const fewestValues = 10

/**
 * Whether a series rises. Its slope is the median of the slopes between any two of its values (Theil and
 * Sen), which a few outliers do not affect: one slow minute of a busy machine is no leak.
 */
export function flatness(values: readonly number[], { absolute, relative }: Allowance): Flatness {
  const slopes: number[] = []
  for (const [later, value] of values.entries())
    for (let earlier = 0; earlier < later; earlier++)
      slopes.push((value - values[earlier]!) / (later - earlier))
  const rise = slopes.length === 0 ? 0 : median(slopes) * (values.length - 1)
  const allowed = Math.max(absolute, relative * median(values))
  return { rise, allowed, flat: values.length < fewestValues ? undefined : rise <= allowed }
}
