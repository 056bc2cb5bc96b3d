import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asBytes } from '../../sse/parser.ts'
import { TextChunks } from './text-chunk.ts'

interface Fields {
  index?: number
  logprobs?: unknown
  reason?: string | null
  delta?: Record<string, unknown>
  tail?: Record<string, unknown>
}

/** A chunk from its choices on, as its bytes. */
function chunk(content: string, fields: Fields = {}): string {
  const { index = 0, logprobs = null, reason = null, delta = {}, tail = {} } = fields
  const choices = [{ index, delta: { content, ...delta }, logprobs, finish_reason: reason }]
  return asBytes(JSON.stringify({ choices, ...tail }).slice('{"choices":'.length))
}

const said = (text: string, choice = 0, block = 0) => [{ type: 'block-delta', choice, block, text }] as const

function learnt(): TextChunks {
  const chunks = new TextChunks()
  chunks.learn(chunk('one'), said('one'))
  return chunks
}

const textOf = (chunks: TextChunks, rest: string): unknown => chunks.read(rest, false)?.part

describe('chunks that say a piece of text', () => {
  it('are read without being parsed, or not at all', () => {
    const chunks = learnt()
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        const rest = chunk(text)
        const read = textOf(chunks, rest)
        const escaped = rest !== chunk('').replace('""', () => `"${asBytes(text)}"`)
        expect(read).toEqual(escaped || text === '' ? undefined : said(text)[0])
      }),
    )
  })

  it('keep what follows the choices', () => {
    const tails = [{}, { usage: null }, { obfuscation: 'aB3' }, { usage: null, obfuscation: '' }]
    for (const tail of tails) {
      const read = learnt().read(chunk('two', { tail }), true)
      expect(read?.part).toEqual(said('two')[0])
      expect(`{"a":0${read?.tail}`).toBe(JSON.stringify({ a: 0, ...tail }))
    }
  })

  it('may be reasoning', () => {
    const thought = (text: string): string => chunk('', { delta: { content: null, reasoning_content: text } })
    const chunks = new TextChunks()
    for (let count = 0; count < 20; count++) chunks.learn(thought('"'), said('"'))
    chunks.learn(thought('one'), said('one'))
    expect(textOf(chunks, thought('two'))).toEqual(said('two')[0])
    expect(textOf(chunks, chunk('two'))).toBeUndefined()
  })

  it.each<[string, string]>([
    ['another choice', chunk('two', { index: 1 })],
    ['probabilities', chunk('two', { logprobs: { content: [] } })],
    ['a finish', chunk('two', { reason: 'stop' })],
    ['a refusal', chunk('two', { delta: { refusal: 'no' } })],
    ['a usage', chunk('two', { tail: { usage: { prompt_tokens: 1 } } })],
    ['an unknown field', chunk('two', { tail: { x_groq: {} } })],
    ['a second choice', chunk('two').replace(']', ',{"index":1}]')],
    ['a control character', chunk('two').replace('two', 't\nwo')],
    ['an end too early', chunk('two').slice(0, -1)],
    ['more behind it', `${chunk('two')}}`],
  ])('%s is no such chunk', (_, rest) => {
    expect(learnt().read(rest, true)).toBeUndefined()
  })

  it.each<[string, string, string]>([
    [
      'the text is elsewhere',
      chunk('one', { delta: { audio: { content: 'two' } } }).replace('"one"', '1'),
      'two',
    ],
    ['the text is escaped', chunk('o\\ne'), 'o\\ne'],
    ['there are two choices', chunk('one').replace(']', ',{"index":1}]'), 'one'],
    ['the choices end elsewhere', chunk('one', { tail: { more: [] } }), 'one'],
  ])('nothing is learnt where %s', (_, rest, text) => {
    const chunks = new TextChunks()
    chunks.learn(rest, said(text))
    expect(chunks.read(rest, true)).toBeUndefined()
  })

  it('are understood anew once another block has begun', () => {
    const chunks = learnt()
    chunks.learn(chunk('"'), said('"'))
    expect(textOf(chunks, chunk('two'))).toEqual(said('two')[0])
    chunks.learn(chunk('"'), said('"', 0, 1))
    expect(textOf(chunks, chunk('two'))).toBeUndefined()
    chunks.learn(chunk('two'), said('two', 0, 1))
    expect(textOf(chunks, chunk('three'))).toEqual(said('three', 0, 1)[0])
    chunks.forget()
    expect(textOf(chunks, chunk('two'))).toBeUndefined()
  })
})
