import { duration } from '../../../format/number.ts'

/** A long duration in whole minutes. */
export function durationOf(seconds: number): string {
  return seconds < 120 ? duration(seconds * 1000) : `${Math.round(seconds / 60)} min`
}
