import type { BlockDelta } from '@turnpike/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdsForAll } from '../testing/holds-for-all.ts'
import { parseJson } from '../json/parse-json.ts'
import { asBytes, utf8 } from '../sse/parser.ts'
import { TextForm } from './text-form.ts'

const varying = {
  texts: [
    ['choices', 0, 'delta', 'content'],
    ['choices', 0, 'delta', 'reasoning'],
    ['choices', 0, 'delta', 'details', 0, 'text'],
  ],
  others: [['number'], ['padding'], ['counts']],
} as const

interface Fields {
  delta?: Record<string, unknown>
  choice?: Record<string, unknown>
  tail?: Record<string, unknown>
}

/** A chunk as its bytes. */
function chunk(content: string, { delta, choice, tail }: Fields = {}): string {
  const choices = [{ index: 0, delta: { content, ...delta }, logprobs: null, ...choice }]
  return asBytes(JSON.stringify({ id: 'x', choices, ...tail }))
}

const textDelta = (text: string, more: object = {}): BlockDelta =>
  ({ type: 'block-delta', choice: 0, block: 0, text, ...more }) as const

/** @param data an event with this text */
function learnt(data = chunk('one'), text = 'one', event = ''): TextForm {
  const form = new TextForm()
  form.learn({ data, event, body: parseJson(utf8(data)) }, [textDelta(text)], varying)
  return form
}

const textIn = (form: TextForm, data: string, event = ''): string | undefined =>
  form.readFast(data, event, false)?.text

describe('an event with a piece of text', () => {
  const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }))
  const once = learnt()
  holdsForAll('is read as a JSON parser would', [anyText], (text) => {
    expect(once.readFast(chunk(text), '', false)).toEqual(text === '' ? undefined : textDelta(text))
  })

  it('may hold escapes that are not required', () => {
    expect(textIn(learnt(), chunk('').replace('""', '"\\u00e9\\/"'))).toBe('é/')
  })

  it.each<[string, string]>([
    ['another choice', chunk('two', { choice: { index: 1 } })],
    ['a finish', chunk('two', { choice: { finish_reason: 'stop' } })],
    ['a refusal', chunk('two', { delta: { refusal: 'no' } })],
    ['a field behind it', chunk('two', { tail: { x_groq: {} } })],
    ['a second choice', chunk('two').replace(']', ',{"index":1}]')],
    ['a control character', chunk('two').replace('two', 't\nwo')],
    ['an escape that is none', chunk('two').replace('two', 't\\wo')],
    ['an end too early', chunk('two').slice(0, -1)],
    ['more behind it', `${chunk('two')}}`],
    ['a text that does not end', chunk('two\\').replace('\\\\', '\\')],
    ['no text', chunk('two').replace('"two"', 'null')],
  ])('is not read if there is %s', (_, data) => {
    expect(textIn(learnt(), data)).toBeUndefined()
  })

  it('must have the same type', () => {
    const form = learnt(chunk('one'), 'one', 'delta')
    expect(textIn(form, chunk('two'), 'delta')).toBe('two')
    expect(textIn(form, chunk('two'), 'error')).toBeUndefined()
  })

  it("may have padded brackets, as Anthropic's do", () => {
    const padded = (text: string): string => JSON.stringify({ delta: { text } }).replace('}}', '}    } ')
    const form = new TextForm()
    const body = { delta: { text: 'one' } }
    form.learn({ data: padded('one'), event: '', body }, [textDelta('one')], {
      texts: [['delta', 'text']],
      others: [],
    })
    for (const data of [padded('two'), '{"delta":{"text":"two"}}', '{"delta":{"text":"two"  }    }'])
      expect(textIn(form, data)).toBe('two')
    for (const data of ['{"delta":{"text":"two"}', '{"delta":{"text":"two"} ]', '{"delta":{"text":"two"}}}'])
      expect(textIn(form, data)).toBeUndefined()
  })

  it('may repeat the text in several places, if it is the same in each', () => {
    const both = (reasoning: string, text: string): string =>
      chunk('', { delta: { reasoning, details: [{ type: 'text', text }] } })
    const form = learnt(both('one', 'one'))
    expect(textIn(form, both('two "2"', 'two "2"'))).toBe('two "2"')
    expect(textIn(form, both('two', 'three'))).toBeUndefined()
  })
})

describe('values beside the text', () => {
  const tail = (number: unknown, padding: unknown, counts: unknown): string =>
    chunk('two', { tail: { padding, number, counts } })
  const form = learnt(tail(1, 'ab', { a: 1, b: {} }).replace('two', 'one'))

  it.each<[unknown, string, object]>([
    [77, '', {}],
    [0, 'a "b" \\', { a: { b: [{}, {}] }, c: 'x' }],
    [12_345_678_901, 'é', { a: 'x}' }],
  ])('may differ: %s, %j, %j', (number, padding, counts) => {
    const data = tail(number, padding, counts)
    expect(textIn(form, data)).toBe('two')
    expect(form.other(0, data)).toBe(String(number))
    expect(form.other(1, data)).toBe(asBytes(JSON.stringify(padding).slice(1, -1)))
    expect(form.other(2, data)).toBe(JSON.stringify(counts))
    expect(data.slice(form.textEnd).startsWith('"},"logprobs":null}]')).toBe(true)
  })

  it.each<[unknown, unknown, unknown]>([
    [-1, '', {}],
    [1.5, '', {}],
    [null, '', {}],
    [1, null, {}],
    [1, '', null],
    [1, '', []],
  ])('must be of the same kinds: not %j, %j, %j', (number, padding, counts) => {
    expect(textIn(form, tail(number, padding, counts))).toBeUndefined()
  })

  it('are not taken for more than one', () => {
    const data = tail(1, '', { a: { b: 1 } })
    expect(textIn(form, data.replace('{"a":{"b":1}}', '{"a":{"b":1}},"more":{}'))).toBeUndefined()
    expect(textIn(form, data.replace('"number":1', '"number":01'))).toBeUndefined()
  })

  it.each([
    ['blanks', '{"a":1} ,"more":{}'],
    ['a tab', '{"a":1}\t,"choices":[{"x":{}}],"more":{}'],
    ['a brace in a text before', '{"a":"{"},"more":{"b":"}"}'],
    ['a brace in a text behind', '{"a":"}"},"more":{"b":"{"}'],
    ['a brace in a name', '{"{":1},"more":{"}":{}}'],
    ['a quotation mark in a text', '{"a":"\\"{"},"more":{"b":"}\\""}'],
    ['one brace more', '{"a":1}}'],
  ])('must end at the same place: not followed by %s', (_, counts) => {
    const data = tail(1, '', {}).replace('"counts":{}', `"counts":${counts}`)
    expect(textIn(form, data)).toBeUndefined()
  })

  it.each(['\\x', 'a\nb', '\\u12'])('must be valid JSON: not %j', (padding) => {
    const data = tail(1, 'PADDING', {}).replace('PADDING', padding)
    expect(textIn(form, data)).toBeUndefined()
    expect(textIn(form, data.replace(padding, 'abc'))).toBe('two')
  })

  it('may be missing', () => {
    expect(learnt().other(0, chunk('one'))).toBeUndefined()
  })
})

describe('no form is learnt', () => {
  it.each<[string, string, string]>([
    ['where the text is elsewhere', chunk('', { delta: { audio: { content: 'one' } } }), 'one'],
    ['of a text that is made of several', chunk('on'), 'one'],
    [
      'of a member that is there twice',
      chunk('one').replace('"content"', '"content":"two","content"'),
      'one',
    ],
    [
      'of two lists of choices',
      chunk('one').replace('"id":"x"', '"choices":[{"delta":{"content":"a"}}]'),
      'one',
    ],
    ['of an event that says much more', chunk('one', { tail: { more: 'x'.repeat(20_000) } }), 'one'],
    ['where an object is followed by a text', `{"counts":{},${chunk('one').slice(1)}`, 'one'],
  ])('%s', (_, data, text) => {
    expect(textIn(learnt(data, text), data)).toBeUndefined()
  })

  it.each([textDelta('one', { logprobs: {} }), textDelta('one', { value: {} }), textDelta('')])(
    'from %j',
    (part) => {
      const form = new TextForm()
      const data = chunk(part.text)
      form.learn({ data, event: '', body: parseJson(data) }, [part], varying)
      expect(textIn(form, data)).toBeUndefined()
    },
  )

  it('from two parts', () => {
    const form = new TextForm()
    form.learn(
      { data: chunk('one'), event: '', body: parseJson(chunk('one')) },
      [textDelta('one'), textDelta('one')],
      varying,
    )
    expect(textIn(form, chunk('one'))).toBeUndefined()
  })

  it('any more once forms no longer match anything', () => {
    const form = new TextForm()
    const forms = Array.from({ length: 30 }, (_, index) => chunk('one', { choice: { index } }))
    const read = forms.filter((data) => {
      form.learn({ data, event: '', body: parseJson(data) }, [textDelta('one')], varying)
      return textIn(form, data) !== undefined
    })
    expect(read.length).toBeLessThan(forms.length)
    form.forget()
    expect(textIn(form, forms.at(-1)!)).toBeUndefined()
  })
})
