import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdsForAll } from '../testing/holds-for-all.ts'
import { SseParser, utf8 } from './parser.ts'

interface Seen {
  data: string
  event: string
}

function parse(bytes: Buffer, pieces: number[]): { events: Seen[]; truncated: boolean } {
  const events: Seen[] = []
  const parser = new SseParser({ onEvent: (data, event) => events.push({ data: utf8(data), event }) })
  let start = 0
  for (const end of [...pieces, bytes.length]) {
    parser.pushBytes(bytes.subarray(start, end))
    start = end
  }
  return { events, truncated: parser.end().truncated }
}

const line = fc.constantFrom(
  'data: 1',
  'data: é',
  'data:2',
  'data',
  'event: a',
  'event:b',
  ': c',
  '{"d":',
  '',
)
const lineEnd = fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\r\n\r\n', '\r\n\n', '\n\r')

const streams: Record<string, string> = {
  plain: 'data: {"a":1}\n\ndata: [DONE]\n\n',
  'carriage returns': 'data: {"a":1}\r\n\r\ndata: {"b":2}\r\n\r\n',
  'a carriage return within an event': 'data: 0\n\nevent: a\r\ndata: 1\rdata: 2\r\n\r\n',
  'lone carriage returns': 'data: 1\r\rdata: 2\r\r',
  'comments, ids and retries': ': hello\n\nid: 7\nretry: 10\ndata: 1\n\n:\n\ndata: 2\n\n',
  'named events': 'event: ping\ndata: {}\n\nevent: error\ndata: {"e":1}\n\n',
  'several data lines': 'data: one\ndata: two\ndata:three\n\n',
  'no space after the colon': 'data:{"a":1}\n\n',
  'byte order mark': '\ufeffdata: 1\n\n',
  'characters of one to four bytes': 'data: aé語🙂\n\ndata: 🙂🙂\n\n',
  'an event without data': 'event: x\n\ndata: 1\n\n',
  'an error without a field': 'data: 1\r\n\r\n{\r\n  "error": {\r\n    "code": 503\r\n  }\r\n}\r\n',
  'an error on one line': 'data: 1\n\n{"error":"x"}\n\ndata: 2\n\n',
  'an error without a line end': 'data: 1\n\n{"error":"x"}',
}

describe('an event stream', () => {
  it.each(Object.entries(streams))('is the same wherever its bytes are cut: %s', (_name, text) => {
    const bytes = Buffer.from(text)
    const whole = parse(bytes, [])
    expect(whole.events.length).toBeGreaterThan(0)
    expect(whole.truncated).toBe(false)
    for (let cut = 1; cut < bytes.length; cut++) {
      expect(parse(bytes, [cut]).events).toEqual(whole.events)
    }
    expect(parse(bytes, Array.from(bytes.keys())).events).toEqual(whole.events)
  })

  const pieces = fc.array(fc.record({ line, lineEnd, isCut: fc.boolean() }), { maxLength: 12 })
  holdsForAll(
    'is the same in chunks of any lines as byte by byte',
    [pieces],
    (lines) => {
      let bytes = 0
      const cuts: number[] = []
      for (const { line: text, lineEnd: end, isCut } of lines) {
        bytes += Buffer.byteLength(text + end)
        if (isCut) cuts.push(bytes)
      }
      // The first read is never handled as one event.
      const text = Buffer.from(`:\n${lines.map((one) => one.line + one.lineEnd).join('')}`)
      const byByte = parse(text, Array.from(text.keys()))
      expect(parse(text, [2, ...cuts.map((cut) => cut + 2)])).toEqual(byByte)
    },
    5_000,
  )

  it('has its fields read as the standard says', () => {
    expect(parse(Buffer.from(streams['several data lines']!), []).events).toEqual([
      { data: 'one\ntwo\nthree', event: '' },
    ])
    expect(parse(Buffer.from(streams['named events']!), []).events).toEqual([
      { data: '{}', event: 'ping' },
      { data: '{"e":1}', event: 'error' },
    ])
  })

  it('has no line end in an event that must pass on one line', () => {
    const datas: string[] = []
    const parser = new SseParser({ onEvent: (data) => void datas.push(data) }, ' ')
    parser.push('data: {"a":\r\ndata:\rdata: 1}\n\n{\n"error": "x"\n}\n\n')
    expect(datas.join('')).not.toMatch(/[\r\n]/)
    expect(datas.map((data) => JSON.parse(data) as unknown)).toEqual([{ a: 1 }, { error: 'x' }])
  })

  it('delivers JSON without a field name as an event of its own', () => {
    const datas = (name: string): unknown[] =>
      parse(Buffer.from(streams[name]!), []).events.map(({ data }) => JSON.parse(data) as unknown)
    expect(datas('an error without a field')).toEqual([1, { error: { code: 503 } }])
    expect(datas('an error on one line')).toEqual([1, { error: 'x' }, 2])
    expect(datas('an error without a line end')).toEqual([1, { error: 'x' }])
  })

  it('reports that it ended within an event', () => {
    expect(parse(Buffer.from('data: 1\n\ndata: 2'), []).truncated).toBe(true)
    expect(parse(Buffer.from('data: 1\n\ndata: 2\n'), []).truncated).toBe(true)
  })

  it('delivers a last event whose lines are complete, and no other', () => {
    const last = (text: string): string | undefined => parse(Buffer.from(text), []).events.at(-1)?.data
    expect(last('data: 1\n\ndata: [DONE]\n')).toBe('[DONE]')
    expect(last('data: 1\n\ndata: [DONE]\r')).toBe('[DONE]')
    expect(last('data: 1\n\ndata: [DO')).toBe('1')
  })

  it('fails if an event has no end', () => {
    const parser = new SseParser({ onEvent: () => undefined })
    const piece = 'x'.repeat(8 * 1024 * 1024)
    parser.push('data: ')
    expect(() => {
      for (let count = 0; count < 5; count++) parser.push(piece)
    }).toThrow('too large')
  })

  it('handles a large event in small pieces without searching all of it again for each piece', () => {
    let length = 0
    const parser = new SseParser({ onEvent: (data) => (length = data.length) })
    const piece = 'x'.repeat(64)
    const pieces = 256 * 1024
    parser.push('data: ')
    for (let count = 0; count < pieces; count++) parser.push(piece)
    parser.push('\n\n')
    expect(length).toBe(pieces * piece.length)
  })
})
