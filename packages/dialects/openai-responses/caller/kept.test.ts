import { describe, expect, test } from 'vitest'
import { refusal } from '../../testing/refusal.ts'
import { scanObject } from '../../json/scan.ts'
import { keptResponses } from './kept.ts'

const sent = (body: string) => {
  const bytes = Buffer.from(body)
  return { body: bytes, members: scanObject(bytes).members }
}

const outputMessage = {
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Grüezi' }],
}
const kept = {
  answer: Buffer.from(JSON.stringify({ id: 'resp_1', output: [outputMessage] })),
  input: Buffer.from('[ {"role":"user","content":"Hi","n":1e400} ]'),
}

describe('a conversation that continues', () => {
  test.each([
    [
      'a text',
      '"More \\u00e9"',
      '{"type":"message","role":"user","content":[{"type":"input_text","text":"More \\u00e9"}]}',
    ],
    [
      'items',
      '[ {"role": "user", "content": "More", "big": 12345678901234567890} ]',
      '{"role": "user", "content": "More", "big": 12345678901234567890}',
    ],
  ])('has what was kept, and then %s, byte for byte', (_, input, own) => {
    const body = `{"model" : "m", "previous_response_id": "resp_1", "input": ${input}, "x": 1.0}`
    const whole = keptResponses.continueFrom(sent(body), kept).toString()
    const items = `[{"role":"user","content":"Hi","n":1e400},${JSON.stringify(outputMessage)},${own}]`
    expect(whole).toBe(`{"model" : "m","input": ${items}, "x": 1.0}`)
    expect(keptResponses.inputOf(sent(whole)).toString()).toBe(items)
  })

  test('is unchanged if there are no new items and the kept answer is empty', () => {
    const nothing = { answer: Buffer.from('{"output":[]}'), input: kept.input }
    const whole = keptResponses.continueFrom(sent('{"previous_response_id":"resp_1","input":[]}'), nothing)
    expect(whole.toString()).toBe('{"input":[{"role":"user","content":"Hi","n":1e400}]}')
  })

  test('has paths as its caller knows them', () => {
    const whole = { input: [1, 2, 3, 4] }
    const pathOf = (path: string, own: object) => keptResponses.ownPath(path, whole, own)
    expect(pathOf('input[3].content[0].text', { input: [1, 2] })).toBe('input[1].content[0].text')
    expect(pathOf('input[1].content', { input: [1, 2] })).toBeUndefined()
    expect(pathOf('input[3].content', { input: 'text' })).toBe('input')
    expect(pathOf('tools[0].name', { input: [1, 2] })).toBe('tools[0].name')
  })

  test.each([7, [], { id: 'resp_1' }])('must be named by a string, not by %j', (previous) => {
    expect(() => keptResponses.previousOf({ previous_response_id: previous })).toThrow(
      refusal('previous_response_id'),
    )
  })
})

describe('items of the input', () => {
  const input = [
    { role: 'user', content: 'One' },
    { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{}' },
    { type: 'function_call_output', id: 'fc_1', call_id: 'c', output: 'x' },
  ]
  const list = (query: string) =>
    keptResponses.formatInput('resp_req_1', input, new URLSearchParams(query)) as {
      data: { id: string }[]
      has_more: boolean
    }

  test('have an id each, which leads to the next page', () => {
    const first = list('limit=2&order=asc')
    expect(first.data.map(({ id }) => id)).toEqual(['item_req_1_0', 'fc_1'])
    expect(first.has_more).toBe(true)
    const second = list('limit=2&order=asc&after=fc_1')
    expect([second.data.map(({ id }) => id), second.has_more]).toEqual([['item_req_1_2'], false])
    expect(list('').data.map(({ id }) => id)).toEqual(['item_req_1_2', 'fc_1', 'item_req_1_0'])
  })
})
