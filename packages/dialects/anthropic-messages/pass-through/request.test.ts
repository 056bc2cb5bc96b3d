import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdsForAll } from '../../testing/holds-for-all.ts'
import type { SentRequest } from '../../caller.ts'
import { anyRequest } from '../testing/any-request.ts'
import { sentRequest } from '../testing/sent-request.ts'
import { spliceRequest } from './request.ts'

const spliced = (text: string, changes?: Partial<SentRequest>): string =>
  spliceRequest(sentRequest(text, changes)).toString()

const hello = '"messages":[{"role":"user","content":"hi"}]'

describe('the bytes for a vendor of the same format', () => {
  it("are the caller's own except for the model", () => {
    const system = '"system":[{"type":"text","text":"x-anthropic-billing-header: x"}]'
    const rest = String.raw`"max_tokens" : 64000, "x":[1.0, 1e5,"\u00e9"], ${system}`
    expect(spliced(`{ "model":"a", ${hello}, ${rest} }`)).toBe(
      `{ "model":"claude-at-vendor", ${hello}, ${rest} }`,
    )
  })

  it.each([
    ['the bound that was lowered', '"max_tokens":64000', '"max_tokens":5000'],
    ['models', '"max_tokens":5000,"models":["b"]', '"max_tokens":5000'],
    [
      'our own metadata',
      '"max_tokens":5000,"metadata":{"tags":["a"],"user_id":"{\\"x\\":1}","retry_of":"b"}',
      '"max_tokens":5000,"metadata":{"user_id":"{\\"x\\":1}"}',
    ],
    ['metadata that is ours alone', '"max_tokens":5000,"metadata":{"tags":["a"]}', '"max_tokens":5000'],
    [
      'no metadata of others',
      '"max_tokens":5000,"metadata":{ "user_id":"a" }',
      '"max_tokens":5000,"metadata":{ "user_id":"a" }',
    ],
    [
      'a budget that a lowered bound has no room for',
      '"max_tokens":32000,"thinking":{"type":"enabled","budget_tokens":31999,"display":"omitted"}',
      '"max_tokens":5000,"thinking":{"type":"enabled","budget_tokens":2500,"display":"omitted"}',
    ],
    [
      'no budget that is below it',
      '"max_tokens":32000,"thinking":{"type":"enabled", "budget_tokens":4999}',
      '"max_tokens":5000,"thinking":{"type":"enabled", "budget_tokens":4999}',
    ],
    [
      'no budget of all turns between tools',
      '"max_tokens":5000,"tools":[{"type":"x_1"}],"thinking":{"type":"enabled", "budget_tokens":6000}',
      '"max_tokens":5000,"tools":[{"type":"x_1"}],"thinking":{"type":"enabled", "budget_tokens":6000}',
    ],
  ])('change %s', (_what, body, sent) => {
    const text = spliced(`{"model":"a",${hello},${body}}`, { maxOutputTokens: 5_000 })
    expect(text).toBe(`{"model":"claude-at-vendor",${hello},${sent}}`)
  })

  it('have a field as it was parsed if requested', () => {
    const config = '"output_config":{"effort":"low","x":1}'
    const body = `{"model":"a",${hello},"max_tokens":5,"speed":"f\\u0061st",${config}}`
    const text = spliced(body, { asUnderstood: ['speed', 'output_config'] })
    expect(text).toBe(`{"model":"claude-at-vendor",${hello},"max_tokens":5,"speed":"fast",${config}}`)
  })

  it('contain no thinking from other vendors', () => {
    const thought = { type: 'thinking', thinking: 'Hm', signature: '' }
    const signed = { type: 'thinking', thinking: 'Hm', signature: 'c2ln' }
    const call = { type: 'tool_use', id: 'call_1__thought_QUJD', name: 'f', input: { a: 1 } }
    const result = { type: 'tool_result', tool_use_id: call.id, content: 'x' }
    const question = { role: 'user', content: 'hi' }
    const messages = [
      question,
      { role: 'assistant', content: [thought] },
      question,
      { role: 'assistant', content: [thought, signed, call] },
      { role: 'user', content: [result] },
    ]
    const text = spliced(JSON.stringify({ model: 'a', max_tokens: 5, messages }))
    expect((JSON.parse(text) as { messages: unknown }).messages).toEqual([
      question,
      question,
      { role: 'assistant', content: [signed, { ...call, id: 'call_1' }] },
      { role: 'user', content: [{ ...result, tool_use_id: 'call_1' }] },
    ])
  })

  holdsForAll(
    'mean the same as the caller’s, except for what must change',
    [anyRequest, fc.constantFrom(undefined, 1, '\t'), fc.boolean()],
    (body, indent, lowered) => {
      const { metadata, models: _ours, ...rest } = body
      const bound = lowered ? 1_900 : body['max_tokens']
      const text = spliced(JSON.stringify(body, null, indent), { maxOutputTokens: bound as number })
      const {
        tags: _tags,
        retry_of: _retry,
        ...others
      } = { ...(metadata as object | undefined) } as Record<string, unknown>
      const named = Object.keys(others).length > 0
      const kept = metadata !== undefined && (named || Object.keys(metadata as object).length === 0)
      const expected = {
        ...rest,
        model: 'claude-at-vendor',
        max_tokens: bound,
        ...(kept ? { metadata: others } : {}),
        messages: signedOnly(body['messages'] as Turn[]),
      }
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(expected)))
    },
  )
})

interface Turn {
  role: string
  content: string | { type: string; signature?: string }[]
}

/** Removes unsigned thinking, and turns that consist of nothing else. */
function signedOnly(turns: readonly Turn[]): Turn[] {
  return turns.flatMap((turn) => {
    if (typeof turn.content === 'string' || turn.role !== 'assistant') return [turn]
    const content = turn.content.filter(({ type, signature }) => type !== 'thinking' || signature !== '')
    return content.length === 0 ? [] : [{ ...turn, content }]
  })
}
