import { describe, expect, it } from 'vitest'
import { cursorsOf, InvalidCursor, pageOf } from './cursor.ts'

describe('cursors', () => {
  const cursors = cursorsOf('requests:acct_1', ['number', 'text'])

  it('decode to the sort key', () => {
    expect(cursors.decode(cursors.encode([17, 'req_é']))).toEqual([17, 'req_é'])
  })

  it('are refused by another list, and if they are invalid', () => {
    const foreign = cursorsOf('requests:acct_2', ['number', 'text']).encode([17, 'req_1'])
    const mistyped = cursorsOf('requests:acct_1', ['text', 'text']).encode(['17', 'req_1'])
    const short = cursorsOf('requests:acct_1', ['number']).encode([17])
    for (const cursor of [foreign, mistyped, short, '', 'x', 'bnVsbA', '%%%', 'e30'])
      expect(() => cursors.decode(cursor)).toThrow(InvalidCursor)
  })

  it('cause a 400 that names the parameter', () => {
    expect(new InvalidCursor()).toMatchObject({ status: 400, type: 'invalid_request_error', param: 'cursor' })
  })

  it('end with the last page', () => {
    const names = cursorsOf('names', ['text'])
    expect(pageOf(['a', 'b'], 2, names, (row) => [row])).toEqual({ rows: ['a', 'b'], nextCursor: null })
    const page = pageOf(['a', 'b', 'c'], 2, names, (row) => [row])
    expect(page.rows).toEqual(['a', 'b'])
    expect(names.decode(page.nextCursor!)).toEqual(['b'])
  })
})
