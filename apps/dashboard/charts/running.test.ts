import { expect, test } from 'vitest'
import { runningOf } from './running.ts'
import { stackOf } from './stack.ts'

test('runningOf adds the earlier bars to each bar, up to now', () => {
  const cells = [
    { at: '2026-11-01', name: 'x', value: 9_007_199_254_740_993n },
    { at: '2026-11-02', name: 'y', value: 2n },
    { at: '2026-11-03', name: 'x', value: 3n },
  ]
  const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04']
  const { series, rows } = runningOf(stackOf(cells, days, ''), Date.parse('2026-11-03T23:59:59Z'))
  expect(series.map(({ total }) => total)).toEqual([9_007_199_254_740_996n, 2n])
  expect(rows.map(({ values, total }) => [values, total])).toEqual([
    [[9_007_199_254_740_993n, 0n], 9_007_199_254_740_993n],
    [[9_007_199_254_740_993n, 2n], 9_007_199_254_740_995n],
    [[9_007_199_254_740_996n, 2n], 9_007_199_254_740_998n],
    [[0n, 0n], 0n],
  ])
})
