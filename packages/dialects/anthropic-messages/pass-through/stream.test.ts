import { describe, expect, it } from 'vitest'
import { utf8 } from '../../sse/parser.ts'
import { bridged } from '../../testing/bridged.ts'
import { MessagesStreamBridge } from './stream.ts'

/** What a caller gets from these events of a vendor. */
function passed(...events: string[]): string {
  const head = { id: 'msg_ours', model: 'vendor/möbel', created: 1, includeUsage: true }
  const result = bridged((listener) => new MessagesStreamBridge(head, listener), events)
  return utf8(result.text + result.bridge.closing(result.usage, { usd: '0.25' }))
}

const event = (type: string, rest: string): string => `event: ${type}\ndata: {"type":"${type}"${rest}}\n\n`
const usage = '"usage":{"input_tokens":5,"output_tokens":1'
const begin = (more = ''): string =>
  event(
    'message_start',
    `,"message":{"id":"msg_1","model":"möbel","role":"assistant","content":[],${usage}${more}}}`,
  )
const vendorEvents = [
  event('ping', ''),
  event('content_block_start', ',"index":0,"content_block":{"type":"text","text":""}     '),
  event('content_block_delta', ',"index":0,"delta":{"type":"text_delta","text":"Grüße"}'),
  event('content_block_delta', ',"index":0,"delta":{"type":"text_delta","text":" aus 🌍"}   '),
  event('an_event_of_2030', ',"new":[1]'),
  event('content_block_stop', ',"index":0 '),
]
const delta = (more = '', padding = ''): string =>
  event(
    'message_delta',
    `,"delta":{"stop_reason":"end_turn","stop_sequence":null},${usage}${more}}${padding}`,
  )

describe("a stream of Anthropic's for a caller of the same format", () => {
  it("is the vendor's, byte for byte, except for the model and the usage", () => {
    const text = passed(begin(), ...vendorEvents, delta('', '      '), event('message_stop', '    '))
    const expected = [
      begin().replace('"möbel"', '"vendor/möbel"'),
      ...vendorEvents,
      delta(',"cost_usd":"0.25","cost":0.25', '      '),
      event('message_stop', '    '),
    ]
    expect(text).toBe(expected.join(''))
  })

  it("does not show the vendor's price", () => {
    const text = passed(
      begin(',"cost":0.0071'),
      ...vendorEvents,
      delta(',"cost":0.0072'),
      event('message_stop', ',"cost":0.0073'),
    )
    expect(text).not.toContain('0.007')
    expect(text).toContain('"cost":0.25')
    expect(text).toContain('"model":"vendor/möbel"')
  })
})
