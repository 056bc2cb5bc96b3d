import type { Message, ModelRequest } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { holdsForAll } from '../../testing/holds-for-all.ts'
import { anyRequest } from '../testing/any-request.ts'
import { formatContent } from '../vendor/content.ts'
import { parseRequest } from './request.ts'

const hello = { role: 'user', content: 'hi' }

function parse(fields: object): ModelRequest {
  return parseRequest({ model: 'm', max_tokens: 9_000, messages: [hello], ...fields }).request
}

const turns = (...messages: object[]): Message[] => parse({ messages }).messages
const user = (...content: object[]): Message['content'] => turns({ role: 'user', content })[0]!.content
const answer = (...content: object[]): Message['content'] =>
  turns(hello, { role: 'assistant', content })[1]!.content

const png = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
const text = (content: string): object => ({ type: 'text', text: content })
const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: ['it'] } }
const called = [hello, { role: 'assistant', content: [call] }]
const result = { type: 'tool_result', tool_use_id: 'toolu_1' }

describe('turns', () => {
  it('are texts, with the instructions before all of them', () => {
    const messages = parse({ system: 'Be kind.', messages: [hello, { role: 'assistant', content: 'Yes' }] })
    expect(messages.messages).toEqual([
      { role: 'system', content: [{ kind: 'text', text: 'Be kind.' }] },
      { role: 'user', content: [{ kind: 'text', text: 'hi' }] },
      { role: 'assistant', content: [{ kind: 'text', text: 'Yes' }] },
    ])
  })

  it('may be instructions in the middle', () => {
    const [, middle] = turns(hello, { role: 'system', content: [text('Be brief.')] })
    expect(middle).toEqual({ role: 'system', content: [{ kind: 'text', text: 'Be brief.' }] })
  })

  it.each<[string, unknown, unknown]>([
    ['as a text', 'x-anthropic-billing-header: cc_version=1;', undefined],
    ['as its only block', [text('x-anthropic-billing-header: a')], undefined],
    [
      'among others',
      [
        text('x-anthropic-billing-header: a'),
        { ...text('Be kind.'), cache_control: { type: 'ephemeral', ttl: '1h' } },
      ],
      [{ kind: 'text', text: 'Be kind.', cache: { lifetime: '1h' } }],
    ],
    ['nor nothing', '', undefined],
  ])("omit what the client writes for its vendor's billing: %s", (_what, system, content) => {
    const [first] = parse({ system }).messages
    expect(first).toEqual(
      content === undefined
        ? { role: 'user', content: [{ kind: 'text', text: 'hi' }] }
        : { role: 'system', content },
    )
  })

  it('of a user become one message per result, and one for everything else', () => {
    const calls = [call, { ...call, id: 'toolu_2' }]
    const content = [
      { ...result, content: 'seen' },
      text('And now?'),
      {
        ...result,
        tool_use_id: 'toolu_2',
        content: [text('a'), { type: 'image', source: png }],
        is_error: true,
      },
    ]
    const messages = turns(hello, { role: 'assistant', content: calls }, { role: 'user', content })
    expect(messages.slice(2)).toEqual([
      { role: 'tool', toolCallId: 'toolu_1', content: [{ kind: 'text', text: 'seen' }] },
      {
        role: 'tool',
        toolCallId: 'toolu_2',
        content: [
          { kind: 'text', text: 'a' },
          { kind: 'image', source: { type: 'base64', format: 'image/png', data: 'AAAA' } },
        ],
        failed: true,
      },
      { role: 'user', content: [{ kind: 'text', text: 'And now?' }] },
    ])
  })

  it('of a user in a row answer the calls together', () => {
    const first = { role: 'user', content: [{ ...result, content: 'seen' }] }
    const second = { role: 'user', content: [{ ...result, tool_use_id: 'toolu_2' }] }
    const calls = { role: 'assistant', content: [call, { ...call, id: 'toolu_2' }] }
    expect(turns(hello, calls, first, { role: 'system', content: 'x' }, second)).toHaveLength(5)
  })
})

describe('blocks', () => {
  it('of a result: the cache mark is on the last of them, and one without content has an empty text', () => {
    const mark = { cache_control: { type: 'ephemeral' } }
    const marked = { ...result, content: [text('a'), text('b')], ...mark }
    expect(turns(...called, { role: 'user', content: [marked] }).at(-1)!.content).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b', cache: { lifetime: undefined } },
    ])
    for (const content of [undefined, null, [], ''])
      expect(turns(...called, { role: 'user', content: [{ ...result, content }] }).at(-1)!.content).toEqual([
        { kind: 'text', text: '' },
      ])
  })

  it('of a tool search are texts for all vendors but their own', () => {
    const reference = { type: 'tool_reference', tool_name: 'WebFetch' }
    const content = [{ ...result, content: [reference], cache_control: { type: 'ephemeral' } }]
    const [found] = turns(...called, { role: 'user', content }).at(-1)!.content
    expect(found).toEqual({
      kind: 'text',
      text: 'Found: the tool WebFetch',
      blockOfMessages: reference,
      cache: { lifetime: undefined },
    })
    expect(formatContent(found!, 'messages[2].content[0]')).toEqual({
      ...reference,
      cache_control: { type: 'ephemeral' },
    })
    expect(() => user({ type: 'tool_reference' })).toThrow('messages.0.content.0.tool_name is required')
  })

  it('of calls may end a cached prefix', () => {
    const [marked] = answer({ ...call, cache_control: { type: 'ephemeral', ttl: '1h' } })
    expect(marked).toMatchObject({ kind: 'tool-call', cache: { lifetime: '1h' } })
  })

  it('of calls have their input as JSON', () => {
    expect(answer(call)).toEqual([
      { kind: 'tool-call', id: 'toolu_1', name: 'look', arguments: '{"at":["it"]}', variant: 'function' },
    ])
  })

  it('of thinking keep their proof; without one any vendor may read them', () => {
    const blocks = answer(
      { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
      { type: 'thinking', thinking: 'Hm', signature: '' },
      { type: 'thinking', thinking: 'Hm' },
      { type: 'redacted_thinking', data: 'b3BhcXVl' },
    )
    const format = 'anthropic-claude-v1'
    expect(blocks).toEqual([
      { kind: 'reasoning', text: 'Hm', format, signature: 'c2ln' },
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'reasoning', text: '', format, encrypted: 'b3BhcXVl' },
    ])
  })

  it.each<[string, object, object]>([
    ['data', png, { type: 'base64', format: 'image/png', data: 'AAAA' }],
    ['an address', { type: 'url', url: 'https://a.test/x' }, { type: 'url', url: 'https://a.test/x' }],
    ['a file', { type: 'file', file_id: 'file_1' }, { type: 'file', fileId: 'file_1' }],
  ])('of images: %s', (_what, source, expected) => {
    expect(user({ type: 'image', source })).toEqual([{ kind: 'image', source: expected }])
  })

  const plain = { type: 'base64', format: 'text/plain', data: Buffer.from('a\n\nü').toString('base64') }

  it.each<[string, object, object]>([
    [
      'a PDF',
      { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
      { type: 'base64', format: 'application/pdf', data: 'AAAA' },
    ],
    ['a text', { type: 'text', media_type: 'text/plain', data: 'a\n\nü' }, plain],
    ['a content', { type: 'content', content: 'a\n\nü' }, plain],
    ['texts', { type: 'content', content: [text('a'), text('ü')] }, plain],
    ['an address', { type: 'url', url: 'https://a.test/x' }, { type: 'url', url: 'https://a.test/x' }],
    ['a file', { type: 'file', file_id: 'file_1' }, { type: 'file', fileId: 'file_1' }],
  ])('of documents: %s', (_what, source, expected) => {
    const document = {
      type: 'document',
      source,
      title: 'A title',
      citations: { enabled: true },
      context: null,
    }
    const extensions = { citations: { enabled: true } }
    expect(user(document)).toEqual([{ kind: 'document', source: expected, filename: 'A title', extensions }])
  })

  it.each<object>([
    { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
    { type: 'mcp_tool_use', id: 'm', name: 'ask', server_name: 'x', input: {} },
    { type: 'search_result', source: 'x', title: 'x', content: [] },
    { type: 'compaction', content: null },
    { type: 'image', source: { type: 'a_source_of_2030' } },
    { type: 'image', source: png, transformations: { oversized_image: 'error' } },
    { type: 'document', source: { type: 'content', content: [{ type: 'image', source: png }] } },
    { type: 'a_block_of_2030' },
  ])('without an equivalent stay as they are: $type', (block) => {
    expect(answer(block)).toEqual([{ kind: 'raw', value: block, format: 'anthropic-messages' }])
  })
})

describe('settings', () => {
  it.each<[string, object, Partial<ModelRequest>]>([
    [
      'nothing',
      {},
      { stream: false, choices: 1, stop: [], tools: [], extensions: {}, maxOutputTokens: 9_000 },
    ],
    ['to fill the cache', { max_tokens: 0 }, { maxOutputTokens: 0 }],
    ['to stop', { stop_sequences: ['a'] }, { stop: ['a'] }],
    ['to sample', { temperature: 0.5, top_p: 0.9 }, { temperature: 0.5, topP: 0.9 }],
    ['top_k', { top_k: 5 }, { extensions: { top_k: 5 } }],
    ['its user', { metadata: { user_id: '{"device":"x"}' } }, { user: '{"device":"x"}', extensions: {} }],
    [
      'nothing by nulls',
      { system: null, metadata: null, thinking: null, output_config: null, tools: null, tool_choice: null },
      { extensions: {}, reasoning: undefined, tools: [] },
    ],
    [
      'what only its vendor knows',
      { service_tier: 'auto', context_management: { edits: [] }, container: null, x_2030: 1 },
      {
        extensions: { service_tier: 'auto', context_management: { edits: [] }, container: null, x_2030: 1 },
      },
    ],
  ])('%s', (_what, fields, expected) => {
    expect(parse(fields)).toMatchObject(expected)
  })

  it.each<[object, ModelRequest['reasoning']]>([
    [{}, undefined],
    [{ thinking: { type: 'enabled', budget_tokens: 2_000 } }, { budgetTokens: 2_000 }],
    [
      {
        thinking: { type: 'enabled', budget_tokens: 2_000, display: 'omitted' },
        output_config: { effort: 'high' },
      },
      { budgetTokens: 2_000, effort: 'high', hidden: true },
    ],
    [{ thinking: { type: 'adaptive' } }, { effort: 'medium' }],
    [
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'max' } },
      { effort: 'max' },
    ],
    [{ thinking: { type: 'disabled' }, output_config: { effort: 'high' } }, { effort: 'none' }],
    [{ thinking: { type: 'between_tools' } }, { effort: 'none' }],
    [{ output_config: { effort: 'low' } }, { effort: 'low' }],
    [{ output_config: { effort: null } }, undefined],
  ])('of thinking: %j', (fields, reasoning) => {
    const request = parse(fields)
    expect(request.reasoning).toEqual(reasoning)
    expect(request.extensions).toEqual({})
  })

  it("of thinking and output that are not known here stay the vendor's own", () => {
    const thinking = { type: 'a_kind_of_2030', depth: 3 }
    const task_budget = { type: 'tokens', total: 20_000 }
    const { extensions, reasoning } = parse({ thinking, output_config: { effort: 'low', task_budget } })
    expect(extensions).toEqual({ thinking, output_config: { task_budget } })
    expect(reasoning).toEqual({ effort: 'low' })
  })

  it.each(['output_config', 'output_format'])('of an answer in JSON: %s', (name) => {
    const format = { type: 'json_schema', schema: { type: 'object' } }
    const request = parse({ [name]: name === 'output_config' ? { format } : format })
    expect(request.output).toEqual({ type: 'json-schema', name: 'answer', schema: { type: 'object' } })
    expect(request.extensions).toEqual({})
  })

  it('of the gateway are read', () => {
    const metadata = { tags: ['a'], retry_of: 'req_1' }
    const call = parseRequest({ model: 'm', models: ['n'], max_tokens: 1, messages: [hello], metadata })
    expect(call).toMatchObject({ fallbackModels: ['n'], tags: ['a'], retryOf: 'req_1', includeUsage: true })
  })
})

describe('tools', () => {
  const schema = { type: 'object', properties: {} }

  it("of the caller are functions, and those with a type are the vendor's", () => {
    const own = {
      type: 'custom',
      name: 'look',
      description: 'Looks',
      input_schema: schema,
      strict: true,
      cache_control: { type: 'ephemeral' },
      defer_loading: true,
    }
    const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 5 }
    expect(parse({ tools: [own, search] }).tools).toEqual([
      {
        kind: 'function',
        name: 'look',
        description: 'Looks',
        parameters: schema,
        strict: true,
        cache: { lifetime: undefined },
        extensions: { defer_loading: true },
      },
      { kind: 'raw', value: search, format: 'anthropic-messages' },
    ])
  })

  it.each<[object, unknown, unknown]>([
    [{ type: 'auto' }, { type: 'auto' }, undefined],
    [{ type: 'auto', disable_parallel_tool_use: true }, { type: 'auto' }, false],
    [{ type: 'any', disable_parallel_tool_use: false }, { type: 'required' }, undefined],
    [{ type: 'tool', name: 'look' }, { type: 'named', name: 'look' }, undefined],
    [{ type: 'none' }, { type: 'none' }, undefined],
  ])('are chosen by %j', (tool_choice, choice, parallel) => {
    const request = parse({ tools: [{ name: 'look', input_schema: schema }], tool_choice })
    expect([request.toolChoice, request.parallelToolCalls]).toEqual([choice, parallel])
  })
})

holdsForAll('parses every valid request', [anyRequest], (body) => {
  const text = JSON.stringify(body)
  const parsed = parseRequest(JSON.parse(text) as object)
  expect(parsed.request.messages.length).toBeGreaterThan(0)
  const thinks = JSON.stringify(body['messages']).includes('"type":"thinking"')
  if (thinks) expect(parsed.tellsReasoning).toBe(true)
})
