import { expect, test } from 'vitest'
import { stackOf, type Cell } from './stack.ts'

const day = (at: string, name: string | null, value: bigint): Cell => ({ at, name, value })

test('stackOf has a bar for places without values, and keeps values exact', () => {
  const large = 9_007_199_254_740_993n
  const { series, rows } = stackOf([day('b', 'x', large), day('b', null, 1n)], ['a', 'b'], 'untagged')
  expect(series.map(({ name, total }) => [name, total])).toEqual([
    ['x', large],
    ['untagged', 1n],
  ])
  expect(rows.map(({ at, total, values }) => [at, total, values])).toEqual([
    ['a', 0n, [0n, 0n]],
    ['b', large + 1n, [large, 1n]],
  ])
})

test('stackOf joins the small series into one, with the same sum', () => {
  const cells = Array.from({ length: 12 }, (_, index) => day('a', `m${index}`, BigInt(index)))
  const { series, rows } = stackOf(cells, ['a'], 'none')
  expect(series).toHaveLength(7)
  expect(series.at(-1)).toMatchObject({ name: 'everything else', total: 15n })
  expect(rows[0]?.total).toBe(66n)
})
