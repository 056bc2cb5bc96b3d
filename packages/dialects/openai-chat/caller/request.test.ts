import type { Message } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../testing/refusal.ts'
import { parseRequest } from './request.ts'

const at = 'messages[0].content[0]'

const user = { role: 'user', content: 'x' }

function messages(...list: unknown[]): Message[] {
  return parseRequest({ model: 'm', messages: list }).request.messages
}

function settings(fields: object): ReturnType<typeof parseRequest>['request'] {
  return parseRequest({ model: 'm', messages: [user], ...fields }).request
}

describe('reasoning that a caller sends back', () => {
  const signed = {
    type: 'reasoning.text',
    text: 'Let me think',
    signature: 'c2ln',
    format: 'anthropic-claude-v1',
    id: 'r1',
    index: 0,
  }
  const block = { kind: 'reasoning', text: 'Let me think', signature: 'c2ln', format: 'anthropic-claude-v1' }

  it('is read with its proof, and its text once, before everything else', () => {
    const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }]
    const [message] = messages({
      role: 'assistant',
      content: 'Yes',
      reasoning_content: 'Let me think',
      reasoning_details: [
        signed,
        { type: 'reasoning.encrypted', data: 'b3BhcXVl', format: 'anthropic-claude-v1', index: 1 },
      ],
      tool_calls: calls,
    })
    expect(message!.content).toEqual([
      { ...block, id: 'r1' },
      { kind: 'reasoning', text: '', encrypted: 'b3BhcXVl', format: 'anthropic-claude-v1' },
      { kind: 'text', text: 'Yes' },
      { kind: 'tool-call', id: 'c', name: 'f', arguments: '{}', variant: 'function' },
    ])
  })

  it('keeps the plain text beside details that contain none', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'b3BhcXVl' }]
    const [message] = messages({
      role: 'assistant',
      content: '',
      reasoning: 'Hm',
      reasoning_details: details,
    })
    expect(message!.content.slice(0, 2)).toEqual([
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'reasoning', text: '', encrypted: 'b3BhcXVl' },
    ])
  })

  it('is assembled from the pieces in which other gateways stream it', () => {
    const format = 'anthropic-claude-v1'
    const [message] = messages({
      role: 'assistant',
      reasoning_details: [
        { type: 'reasoning.text', text: 'Let me ', format, index: 0 },
        { type: 'reasoning.text', text: 'think', format, index: 0 },
        { type: 'reasoning.text', signature: 'c2ln', format, index: 0 },
        { type: 'reasoning.text', text: 'More', signature: 'c2lnMg', format, index: 0 },
      ],
    })
    expect(message!.content).toEqual([block, { ...block, text: 'More', signature: 'c2lnMg' }])
  })

  it('has no known format if its type is unknown', () => {
    const [message] = messages({
      role: 'assistant',
      reasoning_details: [{ type: 'reasoning.dream', format: 'anthropic-claude-v1' }],
    })
    expect(message!.content).toEqual([{ kind: 'reasoning', text: '', format: 'reasoning.dream' }])
  })
})

describe('the reasoning settings', () => {
  it.each([
    [{}, undefined],
    [{ reasoning: null, reasoning_effort: null }, undefined],
    [{ reasoning: {} }, undefined],
    [{ reasoning_effort: 'low' }, { effort: 'low' }],
    [{ reasoning: { effort: 'high' } }, { effort: 'high' }],
    [{ reasoning: { effort: 'high' }, reasoning_effort: 'high' }, { effort: 'high' }],
    [{ reasoning: { max_tokens: 2000, exclude: true } }, { budgetTokens: 2000, hidden: true }],
    [{ reasoning: { enabled: true } }, { effort: 'medium' }],
    [{ reasoning: { enabled: true, max_tokens: 5 } }, { budgetTokens: 5 }],
    [{ reasoning: { enabled: false, effort: 'high', max_tokens: 5 } }, { effort: 'none' }],
  ])('are read from %j', (fields, wish) => expect(settings(fields).reasoning).toEqual(wish))

  it("leave Anthropic's own field to Anthropic", () => {
    const thinking = { type: 'enabled', budget_tokens: 1024 }
    expect(settings({ thinking }).extensions).toEqual({ thinking })
  })
})

it('reads cache marks of parts and tools', () => {
  const cache_control = { type: 'ephemeral', ttl: '1h' }
  const image = { type: 'image_url', image_url: { url: 'https://a.test/x.png' }, cache_control: null }
  const request = parseRequest({
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'a', cache_control }, image] }],
    tools: [{ type: 'function', function: { name: 'f' }, cache_control: { type: 'ephemeral' } }],
  }).request
  expect(request.messages[0]!.content).toEqual([
    { kind: 'text', text: 'a', cache: { lifetime: '1h' } },
    { kind: 'image', source: { type: 'url', url: 'https://a.test/x.png' } },
  ])
  expect(request.tools).toEqual([{ kind: 'function', name: 'f', cache: { lifetime: undefined } }])
})

it('reads a failed tool result, and documents by address, by data and by id', () => {
  const file = (value: object): object => ({ type: 'file', file: value })
  const [tool, documents] = messages(
    { role: 'tool', tool_call_id: 'c', content: 'no such city', is_error: true },
    {
      role: 'user',
      content: [
        file({ file_data: 'https://a.test/x.pdf', filename: 'x.pdf' }),
        file({ file_data: 'data:application/pdf;name=x.pdf;base64,AAAA' }),
        file({ file_id: 'file_1' }),
      ],
    },
  )
  expect(tool).toMatchObject({ role: 'tool', failed: true })
  expect(documents!.content).toEqual([
    { kind: 'document', source: { type: 'url', url: 'https://a.test/x.pdf' }, filename: 'x.pdf' },
    { kind: 'document', source: { type: 'base64', data: 'AAAA', format: 'application/pdf' } },
    { kind: 'document', source: { type: 'file', fileId: 'file_1' } },
  ])
})

describe('the wrong field', () => {
  const part = (value: object): object => ({ messages: [{ role: 'user', content: [value] }] })
  const assistant = (value: object): object => ({ messages: [{ role: 'assistant', ...value }] })
  it.each([
    [assistant({ reasoning_details: {} }), 'messages[0].reasoning_details'],
    [assistant({ reasoning_details: [{ text: 'x' }] }), 'messages[0].reasoning_details[0].type'],
    [
      assistant({ reasoning_details: [{ type: 'reasoning.text', text: 5 }] }),
      'messages[0].reasoning_details[0].text',
    ],
    [
      assistant({ reasoning_details: [{ type: 'reasoning.encrypted' }] }),
      'messages[0].reasoning_details[0].data',
    ],
    [assistant({ reasoning_content: 5 }), 'messages[0].reasoning_content'],
    [assistant({ refusal: 5 }), 'messages[0].refusal'],
    [{ messages: [{ role: 'tool', content: 'x', is_error: 'yes' }] }, 'messages[0].is_error'],
    [part({ type: 'text', text: 'x', cache_control: { type: 'eternal' } }), `${at}.cache_control.type`],
    [
      part({ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '2h' } }),
      `${at}.cache_control.ttl`,
    ],
    [part({ type: 'image_url', image_url: { url: 'data:image/svg+xml,<svg/>' } }), `${at}.image_url.url`],
    [part({ type: 'file', file: { file_data: 'data:text/plain,hi' } }), `${at}.file.file_data`],
    [part({ type: 'file', file: {} }), `${at}.file.file_data`],
    [part({ type: 'input_audio', input_audio: { data: 'AAAA' } }), `${at}.input_audio.format`],
    [
      { tools: [{ type: 'function', function: { name: 'f' }, cache_control: {} }] },
      'tools[0].cache_control.type',
    ],
    [{ reasoning: 'high' }, 'reasoning'],
    [{ reasoning: { effort: 1 } }, 'reasoning.effort'],
    [{ reasoning: { max_tokens: 0 } }, 'reasoning.max_tokens'],
    [{ reasoning: { effort: 'low' }, reasoning_effort: 'high' }, 'reasoning.effort'],
  ])('is named: %j', (fields, param) => {
    expect(() => parseRequest({ model: 'm', messages: [user], ...fields })).toThrow(refusal(param))
  })
})
