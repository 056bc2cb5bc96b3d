import { describe, expect, test } from 'vitest'
import { scanObject } from '../../json/scan.ts'
import { answerOfItem, itemsNamed, itemsOf, vendorIds } from './kept-items.ts'
import { keptResponses } from './kept.ts'

const requestId = 'req_01kq5v8h2m0000abcdefghjkmn'

describe('items that a request names', () => {
  test.each<[string, unknown, string[]]>([
    ['by a reference', [{ type: 'item_reference', id: 'msg_1' }], ['input[0].id']],
    ['by the id alone', ['x', { id: 'msg_1' }, { id: 'msg_2', type: null }], ['input[1].id', 'input[2].id']],
    ['as a picture', [{ type: 'image_generation_call', id: 'ig_1', result: null }], ['input[0].id']],
    ['never: it holds them', [{ type: 'image_generation_call', id: 'ig_1', result: 'x' }], []],
    ['never: it is a message', [{ id: 'msg_1', role: 'user', content: 'x' }], []],
    ['never: the id is none', [{ type: 'item_reference', id: 5 }, null, []], []],
    ['never: it is a text', 'item_reference', []],
  ])('%s', (_, input, params) => {
    expect(itemsNamed({ input }).map(({ param }) => param)).toEqual(params)
  })

  test('are inserted in their places, and everything else is unchanged', () => {
    const own = ' {"role":"user","content":"x", "big": 12345678901234567890} '
    const body = Buffer.from(`{"input" : [${own},{"type":"item_reference","id":"a"},{"id":"b"}],"x":1.0}`)
    const sent = { body, members: scanObject(body).members }
    const named = itemsNamed(JSON.parse(body.toString()) as object)
    const items = new Map([
      ['a', '{"type":"message"}'],
      ['b', '{"type":"reasoning"}'],
    ])
    expect(keptResponses.withItems(sent, named, items).toString()).toBe(
      `{"input" : [${own},{"type":"message"},{"type":"reasoning"}],"x":1.0}`,
    )
  })
})

test('an id of ours shows which answer its item belongs to', () => {
  for (const prefix of ['msg', 'rs', 'fc', 'ctc', 'tsc'])
    expect(answerOfItem(`${prefix}_${requestId}_12`)).toBe(`resp_${requestId}`)
  for (const id of ['msg_68af4030592c81938ec0a5fbab4a3e9f05438e46', `msg_${requestId}`, `resp_${requestId}`])
    expect(answerOfItem(id)).toBeUndefined()
})

test('ids of vendors, and of other gateways, are looked up by themselves', () => {
  const output = [
    { id: `msg_${requestId}_0` },
    { id: 'rs_1' },
    { id: 'rs_1' },
    { id: 'msg_req_01kq5v8h2m0000abcdefghjkmz_0' },
    { id: 'a b' },
    { id: '\0' },
    { id: 'x'.repeat(129) },
    { id: 7 },
    null,
  ]
  expect(vendorIds({ output }, `resp_${requestId}`)).toEqual(['rs_1', 'msg_req_01kq5v8h2m0000abcdefghjkmz_0'])
  const many = Array.from({ length: 2_000 }, (_, index) => ({ id: `msg_${index}` }))
  expect(vendorIds({ output: many }, `resp_${requestId}`)).toHaveLength(1_000)
  expect([...itemsOf(Buffer.from(JSON.stringify({ output }))).keys()]).toContain('rs_1')
  expect([...itemsOf(Buffer.from('{"output":5}')).keys()]).toEqual([])
})
