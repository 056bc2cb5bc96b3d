import type { ContentBlock, ModelRequest } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { holdsForAll } from '../../testing/holds-for-all.ts'
import { refusal } from '../../testing/refusal.ts'
import { generateFormats } from '../../registry.ts'
import { refuseUnsupported } from '../../requests/fields/generate-field-rules.ts'
import { anyRequest } from '../testing/any-request.ts'
import { parseRequest } from './request.ts'

const parse = (body: object): ModelRequest => parseRequest({ model: 'm', input: 'hi', ...body }).request
const messagesOf = (...input: object[]): ModelRequest['messages'] => parse({ input }).messages
const text = (value: string): ContentBlock => ({ kind: 'text', text: value })

const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{"a":1}' }
const output = { type: 'function_call_output', call_id: 'call_1', output: 'done' }
const user = { role: 'user', content: 'x' }

describe('the input', () => {
  it('is a text with instructions before it', () => {
    expect(parse({ instructions: 'Be brief.' }).messages).toEqual([
      { role: 'system', content: [text('Be brief.')] },
      { role: 'user', content: [text('hi')] },
    ])
  })

  it('has messages with and without a type', () => {
    expect(
      messagesOf(
        { role: 'developer', content: 'a' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'b' }] },
        {
          type: 'message',
          role: 'assistant',
          id: 'msg_1',
          content: [{ type: 'output_text', text: 'c', annotations: [] }],
        },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'd' }] },
      ),
    ).toEqual([
      { role: 'developer', content: [text('a')] },
      { role: 'user', content: [text('b')] },
      { role: 'assistant', content: [text('c'), { kind: 'refusal', text: 'd' }] },
    ])
  })

  it('has images, files and audio', () => {
    const content = [
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' },
      { type: 'input_image', file_id: 'file_1' },
      { type: 'input_file', file_data: 'data:application/pdf;base64,BBBB', filename: 'b.pdf' },
      { type: 'input_file', file_url: 'https://a.test/c.pdf' },
      { type: 'input_audio', input_audio: { data: 'CCCC', format: 'wav' } },
    ]
    expect(messagesOf({ role: 'user', content })).toEqual([
      {
        role: 'user',
        content: [
          { kind: 'image', source: { type: 'base64', data: 'AAAA', format: 'image/png' }, detail: 'low' },
          { kind: 'image', source: { type: 'file', fileId: 'file_1' } },
          {
            kind: 'document',
            source: { type: 'base64', data: 'BBBB', format: 'application/pdf' },
            filename: 'b.pdf',
          },
          { kind: 'document', source: { type: 'url', url: 'https://a.test/c.pdf' } },
          { kind: 'audio', source: { type: 'base64', data: 'CCCC', format: 'wav' } },
        ],
      },
    ])
  })

  it('joins consecutive text, reasoning and calls of the model into one message', () => {
    const summary = [{ type: 'summary_text', text: 'hm' }]
    expect(
      messagesOf(
        user,
        { type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'gAAA' },
        { type: 'message', role: 'assistant', content: 'I look.' },
        call,
        { ...call, call_id: 'call_2' },
        output,
        { ...output, call_id: 'call_2', output: [{ type: 'input_text', text: 'too' }] },
      ).slice(1),
    ).toEqual([
      {
        role: 'assistant',
        content: [
          { kind: 'reasoning', text: 'hm', format: 'openai-responses-v1', encrypted: 'gAAA', id: 'rs_1' },
          text('I look.'),
          { kind: 'tool-call', id: 'call_1', name: 'f', arguments: '{"a":1}', variant: 'function' },
          { kind: 'tool-call', id: 'call_2', name: 'f', arguments: '{"a":1}', variant: 'function' },
        ],
      },
      { role: 'tool', toolCallId: 'call_1', content: [text('done')] },
      { role: 'tool', toolCallId: 'call_2', content: [text('too')] },
    ])
  })

  it('has readable reasoning as its text', () => {
    const content = [{ type: 'reasoning_text', text: 'all of it' }]
    expect(messagesOf(user, { type: 'reasoning', summary: [], content })[1]).toEqual({
      role: 'assistant',
      content: [{ kind: 'reasoning', text: 'all of it' }],
    })
  })

  it("omits a vendor's own searches", () => {
    expect(messagesOf(user, { type: 'web_search_call', id: 'ws_1', status: 'completed' })).toHaveLength(1)
  })
})

describe('tools', () => {
  const parameters = { type: 'object', properties: {} }

  it('are functions, and those of namespaces have combined names', () => {
    const tools = [
      { type: 'function', name: 'f', description: 'd', parameters, strict: false },
      {
        type: 'namespace',
        name: 'mcp__a',
        description: 'x',
        tools: [{ type: 'function', name: 'g', parameters }],
      },
      {
        type: 'namespace',
        name: 'b__',
        description: 'x',
        tools: [{ type: 'function', name: 'h', parameters }],
      },
    ]
    expect(parse({ tools }).tools).toEqual([
      { kind: 'function', name: 'f', description: 'd', parameters, strict: false },
      { kind: 'function', name: 'mcp__a__g', parameters },
      { kind: 'function', name: 'b__h', parameters },
    ])
    const namespaced = { ...call, name: 'g', namespace: 'mcp__a' }
    expect(parse({ tools, input: [user, namespaced] }).messages[1]).toMatchObject({
      content: [{ name: 'mcp__a__g' }],
    })
  })

  it('have unique names that vendors accept', () => {
    const long = 'n'.repeat(60)
    const space = (name: string): object => ({
      type: 'namespace',
      name,
      tools: [
        { type: 'function', name: `${long}a` },
        { type: 'function', name: `${long}b` },
        { type: 'function', name: 'with.dots' },
      ],
    })
    const { tools } = parse({ tools: [space('x'), space('y z')] })
    const names = tools.map((tool) => (tool.kind === 'function' ? tool.name : ''))
    expect(new Set(names).size).toBe(6)
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  })

  it('that take free text are functions with one argument, and so are their calls', () => {
    const tools = [{ type: 'custom', name: 'sh', description: 'd' }]
    const custom = { type: 'custom_tool_call', call_id: 'call_1', name: 'sh', input: 'ls "x"' }
    const { tools: parsedTools, messages } = parse({
      tools,
      input: [user, custom, { ...output, type: 'custom_tool_call_output' }],
    })
    expect(parsedTools).toEqual([
      {
        kind: 'function',
        name: 'sh',
        description: 'd',
        parameters: {
          type: 'object',
          properties: { input: { type: 'string' } },
          required: ['input'],
          additionalProperties: false,
        },
      },
    ])
    expect(messages[1]!.content).toEqual([
      {
        kind: 'tool-call',
        id: 'call_1',
        name: 'sh',
        arguments: '{"input":"ls \\"x\\""}',
        variant: 'function',
      },
    ])
  })

  it('with a grammar have it in their description', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' }
    const tools = [{ type: 'custom', name: 'p', format }]
    const custom = { type: 'custom_tool_call', call_id: 'call_1', name: 'p', input: 'x' }
    const request = parse({ tools, tool_choice: { type: 'custom', name: 'p' }, input: [user, custom] })
    const description =
      'The argument "input" is the whole text. It follows this grammar (lark):\n\nstart: "x"'
    expect(request.tools).toMatchObject([{ kind: 'function', name: 'p', description }])
    expect(request.toolChoice).toEqual({ type: 'named', name: 'p' })
    expect(request.messages[1]!.content).toMatchObject([{ variant: 'function', arguments: '{"input":"x"}' }])
  })

  const search = {
    type: 'tool_search',
    execution: 'client',
    description: 'd',
    parameters: { type: 'object' },
  }

  it('that the client searches for are called through a function, and then by their names', () => {
    const call = { type: 'tool_search_call', execution: 'client', call_id: 's1', arguments: { query: 'q' } }
    const read = { type: 'function', name: 'read', parameters: { type: 'object' }, defer_loading: true }
    const found = {
      type: 'tool_search_output',
      execution: 'client',
      call_id: 's1',
      tools: [read, { type: 'namespace', name: 'n', tools: [read] }],
    }
    const again = [
      { ...call, call_id: 's2' },
      { ...found, call_id: 's2' },
      { ...call, call_id: 's3' },
      { ...found, call_id: 's3', tools: [] },
    ]
    const { tools, messages } = parse({ tools: [search], input: [user, call, found, ...again] })
    expect(tools).toMatchObject([
      { kind: 'function', name: 'tool_search', description: 'd' },
      { name: 'read' },
      { name: 'n__read' },
    ])
    expect(messages.slice(1, 3)).toMatchObject([
      { content: [{ kind: 'tool-call', id: 's1', name: 'tool_search', arguments: '{"query":"q"}' }] },
      { role: 'tool', toolCallId: 's1', content: [{ text: 'These tools were found: read, n__read.' }] },
    ])
    expect(messages.at(-1)).toMatchObject({ content: [{ text: 'No tools were found.' }] })
  })

  it('that a vendor would search for by itself are all declared', () => {
    const later = { type: 'function', name: 'f', defer_loading: true }
    const call = { type: 'tool_search_call', execution: 'server', call_id: null, arguments: {} }
    const found = { type: 'tool_search_output', execution: 'server', call_id: null, tools: [later] }
    const { tools, messages } = parse({ tools: [later, { type: 'tool_search' }], input: [user, call, found] })
    expect(tools).toMatchObject([{ name: 'f' }])
    expect(messages).toHaveLength(1)
  })

  it('may be in the input', () => {
    const tools = [{ type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec' }] }]
    const item = { type: 'additional_tools', role: 'developer', tools }
    const { tools: parsedTools, messages } = parse({ input: [item, user] })
    expect(parsedTools).toMatchObject([{ kind: 'function', name: 'functions__exec' }])
    expect(messages).toHaveLength(1)
    const nested = [{ type: 'namespace', name: 'a', tools: [{ type: 'namespace', name: 'b', tools: [] }] }]
    expect(() => parse({ tools: nested })).toThrow(refusal('tools[0].tools[0].type'))
    expect(() => parse({ tools: [search], input: [{ ...item, tools: [search] }, user] })).toThrow(
      refusal('input[0].tools[0].name'),
    )
  })

  it('may be allowed in part', () => {
    const tools = ['f', 'g', 'h'].map((name) => ({ type: 'function', name }))
    const allowed = [
      { type: 'function', name: 'h' },
      { type: 'function', name: 'f' },
    ]
    const request = parse({ tools, tool_choice: { type: 'allowed_tools', mode: 'required', tools: allowed } })
    expect(request.tools).toMatchObject([{ name: 'f' }, { name: 'h' }])
    expect(request.toolChoice).toEqual({ type: 'required' })
  })

  it('have no choice if there are none', () => {
    const tools = [{ type: 'web_search' }]
    const request = parse({ tools, tool_choice: 'auto', parallel_tool_calls: false })
    expect([request.toolChoice, request.parallelToolCalls]).toEqual([undefined, undefined])
  })
})

describe('fields', () => {
  it('have neutral equivalents', () => {
    const schema = { type: 'object' }
    const request = parse({
      stream: true,
      max_output_tokens: 99,
      temperature: 0.5,
      top_p: 0.9,
      top_logprobs: 3,
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'a', schema, strict: true } },
      reasoning: { effort: 'high', summary: 'auto' },
      user: 'u',
      safety_identifier: 's',
      prompt_cache_key: 'k',
      service_tier: 'flex',
    })
    expect(request).toMatchObject({
      stream: true,
      maxOutputTokens: 99,
      temperature: 0.5,
      topP: 0.9,
      logprobs: { top: 3 },
      output: { type: 'json-schema', name: 'a', schema, strict: true },
      reasoning: { effort: 'high' },
      user: 'u',
    })
    expect(request.extensions).toEqual({
      service_tier: 'flex',
      safety_identifier: 's',
      prompt_cache_key: 'k',
      verbosity: 'low',
    })
  })

  it('that only concern the gateway or the client are not sent to vendors', () => {
    const request = parse({
      store: true,
      background: false,
      include: ['reasoning.encrypted_content'],
      truncation: 'auto',
      metadata: { a: 'b' },
      client_metadata: { x: 'y' },
      stream_options: { include_obfuscation: false },
      previous_response_id: null,
      max_tool_calls: 3,
    })
    expect(request.extensions).toEqual({})
  })

  it('are repeated in the answer', () => {
    const tools = [{ type: 'function', name: 'f' }, { type: 'web_search' }]
    const { asked } = parseRequest({ model: 'm', input: 'x', tools, metadata: { a: 'b' }, store: true })
    expect(asked).toMatchObject({
      repeated: {
        tools: [tools[0]],
        metadata: { a: 'b' },
        store: false,
        parallel_tool_calls: true,
        tool_choice: 'auto',
      },
    })
  })
})

holdsForAll('parses every valid request', [anyRequest], (body) => {
  const { request, referred } = parseRequest(body)
  expect(request.messages.length + Number(Array.isArray(body.input))).toBeGreaterThan(0)
  expect(referred.references).toEqual([])
})

it('keeps an invalid tool as it is', () => {
  const odd = { type: { toString: 1, valueOf: 1 } }
  const tools = [{ type: 'namespace', name: 'n', tools: [odd] }]
  expect(parse({ tools }).tools).toEqual([{ kind: 'raw', value: odd, format: 'openai-responses' }])
  const refused = (): void => {
    refuseUnsupported(parse({ tools }), generateFormats['openai-chat'].operations.generate.fields, 'a/m')
  }
  expect(refused).toThrow(refusal('tools[0]'))
})
