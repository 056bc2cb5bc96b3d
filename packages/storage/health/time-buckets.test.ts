import { describe, expect, it } from 'vitest'
import {
  firstTokenTime,
  percentileMs,
  splitTimes,
  timeBucketCount,
  timeBucketOf,
  wholeTime,
} from './time-buckets.ts'

describe('histograms of durations', () => {
  it('keep a duration between 16 ms and 17 minutes within 9 %', () => {
    for (let ms = 17; ms < 1_000_000; ms = Math.ceil(ms * 1.01)) {
      const counts = Array.from({ length: timeBucketCount }, (_, bucket) =>
        Number(bucket === timeBucketOf(ms)),
      )
      const read = percentileMs(counts, 0.5)!
      // Rounding to whole milliseconds adds up to half a millisecond.
      expect(Math.abs(read - ms), `${ms}`).toBeLessThanOrEqual(ms * 0.0906 + 0.5)
    }
  })

  it('have a bucket for any duration', () => {
    expect([0, 15, 16, 1_048_575, 1e12].map(timeBucketOf)).toEqual([0, 0, 0, 63, 63])
  })

  it('return percentiles by rank', () => {
    const counts = Array.from({ length: timeBucketCount }, () => 0)
    counts[8] = 95
    counts[16] = 5
    expect([0.5, 0.95, 0.96, 1].map((share) => percentileMs(counts, share))).toEqual([70, 70, 279, 279])
    expect(
      percentileMs(
        counts.map(() => 0),
        0.5,
      ),
    ).toBeNull()
  })

  it('share one column per bucket', () => {
    expect(splitTimes(BigInt(7 * wholeTime + 3 * firstTokenTime))).toEqual({ whole: 7, firstToken: 3 })
  })
})
