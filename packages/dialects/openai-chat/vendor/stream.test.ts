import { describe, expect, it } from 'vitest'
import { asBytes } from '../../sse/parser.ts'
import { readAsUnderstood } from '../../testing/learnt-events.ts'
import { ChatDecoder } from './stream.ts'

const chunk = (delta: object, more: object = {}): { event: string; data: string } => ({
  event: '',
  data: asBytes(
    JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason: null }], ...more }),
  ),
})
const call = (name: string, text: string, more: object = {}): object => ({
  tool_calls: [{ function: { name, arguments: text }, ...more }],
})
const piece = (text: string, more: object = {}): object => ({
  tool_calls: [{ function: { arguments: text }, ...more }],
})
const read = (...events: { event: string; data: string }[]): number =>
  readAsUnderstood(() => new ChatDecoder(), [...events, chunk({}, { choices: [{ finish_reason: 'stop' }] })])

describe('chunks with the form of earlier ones', () => {
  it('are read without parsing, whatever pads them', () => {
    const padded = (content: string, obfuscation: string): ReturnType<typeof chunk> =>
      chunk({ content }, { usage: null, obfuscation })
    expect(read(padded('a', 'x1'), padded('b', ''), padded('c', 'y22'), padded(' "d"\n', 'z'))).toBe(2)
  })

  it('may repeat reasoning under two names', () => {
    const thought = (text: string): ReturnType<typeof chunk> =>
      chunk({ content: '', reasoning: text, reasoning_details: [{ type: 'reasoning.text', text, index: 0 }] })
    expect(read(thought('a'), thought('b'), thought('c'), thought('d'))).toBe(2)
  })

  it('may have arguments of a call with an id', () => {
    const named = call('f', '', { index: 0, id: 'call_1' })
    const pieces = ['{"a', '":"', '1', '"}'].map((text) => chunk(piece(text, { index: 0 })))
    expect(read(chunk(named), ...pieces)).toBe(3)
  })

  it('are parsed if the arguments decide which call comes next', () => {
    const first = [chunk(call('f', '{"a"', { index: 0 })), chunk(piece(':1', { index: 0 }))]
    expect(read(...first, chunk(piece('}', { index: 0 })), chunk(call('f', '{}', { index: 0 })))).toBe(0)
  })

  it('are parsed if each of them ends a reasoning block', () => {
    const thought = (more: object): ReturnType<typeof chunk> =>
      chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'a', index: 0, ...more }] })
    const signed = thought({ signature: 's' })
    expect(read(thought({}), signed, signed, signed)).toBe(0)
  })
})
