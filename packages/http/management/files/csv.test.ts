import { expect, test } from 'vitest'
import { csvCell } from './csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1', "'＝1"],
  ['\t=1', '"\'\t\'=1"'],
  ['a;=1', '"a;\'=1"'],
  ['a\n=1', '"a\n\'=1"'],
  ['a=1-2', 'a=1-2'],
  ['openai/gpt-5', 'openai/gpt-5'],
  ['a,b', '"a,b"'],
  ['"', '""""'],
  [' a', '" a"'],
  ['', ''],
  [null, ''],
  [-1, '-1'],
  [true, 'true'],
  [{ amount: '-0.000000000001' }, '-0.000000000001'],
])('the cell of %j is %s', (value, cell) => {
  expect(csvCell(value)).toBe(cell)
})
