import { median } from './statistics.ts'

/** How much a series may rise from its beginning to its end: the larger of both. */
export interface Allowance {
  absolute: number
  /** Of its median. */
  relative: number
}

export interface Flatness {
  /** From the first to the last, by the slope; below 0 where it falls. */
  rise: number
  allowed: number
  /** Undefined: too few values to tell a slope from noise. */
  flat: boolean | undefined
}

/** Of fewer, an unquiet machine makes any slope. */
const fewestValues = 10

/**
 * Whether a series climbs. Its slope is the median of the slopes between any two of its values (Theil and
 * Sen), which a few wild ones do not move: one slow minute of a busy machine is no leak.
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
