import { expect, test } from 'vitest'
import { crossOf } from './cross.ts'
import { restOf } from './rest.ts'
import { tableCsv } from './table-csv.ts'

const totals = {
  total_requests: 2,
  total_tokens_in: 3,
  total_tokens_out: 4,
  total_cost_usd: '0.00004175',
  total_saved_usd: '0',
}

test('tableCsv quotes values, and lets no name become a formula', () => {
  const groups = ['a,"b"', '=1+1', '-x', null].map((group) => ({ group, ...totals }))
  expect(tableCsv(groups, ['tag'])).toBe(
    'tag,total_requests,total_tokens_in,total_tokens_out,total_cost_usd\r\n' +
      '"a,""b""",2,3,4,0.00004175\r\n' +
      "'=1+1,2,3,4,0.00004175\r\n" +
      "'-x,2,3,4,0.00004175\r\n" +
      ',2,3,4,0.00004175\r\n',
  )
})

test('crossOf puts every figure into its row, its column and its sums', () => {
  const cells = Array.from({ length: 30 }, (_, index) => ({
    pair: [`row ${index % 3}`, `column ${index % 10}`] as [string, string],
    value: BigInt(index),
  }))
  const { rows, columns } = crossOf(cells, 0n)
  expect(columns).toHaveLength(7)
  expect(columns.at(-1)).toEqual({ name: null, isRest: true })
  for (const { total, values } of rows) expect(values.reduce((sum, value) => sum + value, 0n)).toBe(total)
  expect(rows.reduce((sum, { total }) => sum + total, 0n)).toBe(435n)
})

test('crossOf sums up the rows and cells without a row of their own', () => {
  const cells = Array.from({ length: 250 }, (_, index) => ({
    pair: [`row ${index % 125}`, `column ${index % 2}`] as [string, string],
    value: BigInt(index + 1),
  }))
  const { rows } = crossOf(cells, 7n)
  expect(rows.map(({ rest }) => rest).slice(99)).toEqual([undefined, 'rows', 'cells'])
  const [others, further] = rows.slice(-2)
  expect(others!.values.reduce((sum, value) => sum + value, 0n)).toBe(others!.total)
  expect([further!.values, further!.total]).toEqual([[], 7n])
  expect(rows.reduce((sum, { total }) => sum + total, 0n)).toBe((250n * 251n) / 2n + 7n)
})

test('restOf sums up groups without a row, including those that the response leaves out', () => {
  const sums = { requests: 6, tokensIn: 9, tokensOut: 12, cost: 125_250_000n }
  expect(restOf([totals, totals], totals)).toEqual(sums)
  expect(restOf([], totals)).toEqual({ requests: 2, tokensIn: 3, tokensOut: 4, cost: 41_750_000n })
  expect(restOf([], null)).toBeUndefined()
})
