import { GatewayError } from '@turnpike/protocol'
import { expect, it } from 'vitest'
import { parseRequest } from './request.ts'

const hello = { role: 'user', content: 'hi' }
const schema = { type: 'object' }
const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }
const called = { role: 'assistant', content: [call] }
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }

const turns = (...messages: unknown[]): object => ({ messages })
const user = (...content: unknown[]): object => turns({ role: 'user', content })
const image = (source: unknown): object => user({ type: 'text', text: 'x' }, { type: 'image', source })
const document = (source: unknown): object => user({ type: 'document', source })
const answered = (block: object): object => turns(hello, called, { role: 'user', content: [block] })
const at = 'messages.0.content.0'
const saidBy = (...content: unknown[]): object => turns(hello, { role: 'assistant', content })
const tools = (...list: unknown[]): object => ({ tools: list })

/** Per row: the path in the error, and a pattern that its message must match. */
const refused: [string, object, string, RegExp][] = [
  ['no model', { model: undefined }, 'model', /is required/],
  ['no bound', { max_tokens: undefined }, 'max_tokens', /is required/],
  ['a bound below zero', { max_tokens: -1 }, 'max_tokens', /at least 1/],
  ['a bound of null', { max_tokens: null }, 'max_tokens', /integer/],
  ['half a token', { max_tokens: 1.5 }, 'max_tokens', /integer/],
  ['a thread', { thread: { type: 'create' } }, 'thread', /whole conversation/],
  [
    'one that goes on',
    { messages: [], thread: { type: 'continue', previous_message_id: 'msg_1' } },
    'thread',
    /whole conversation/,
  ],
  ['no messages', { messages: undefined }, 'messages', /is required/],
  ['none of them', turns(), 'messages', /1 to/],
  ['a text as a message', turns('x'), 'messages.0', /role and content/],
  ['a role of nobody', turns(hello, { role: 'tool', content: 'x' }), 'messages.1.role', /assistant/],
  ['no content', turns({ role: 'user' }), 'messages.0.content', /is required/],
  ['a number as content', turns({ role: 'user', content: 1 }), 'messages.0.content', /blocks/],
  ['a block that is none', user('x'), 'messages.0.content.0', /block/],
  ['a block without a type', user({ text: 'x' }), `${at}.type`, /is required/],
  ['a text without one', user({ type: 'text' }), `${at}.text`, /is required/],
  [
    'a mark of another kind',
    user({ type: 'text', text: 'x', cache_control: { type: 'forever' } }),
    `${at}.cache_control.type`,
    /ephemeral/,
  ],
  ['an image without its source', image(undefined), 'messages.0.content.1.source', /object/],
  ['a source without a type', image({}), 'messages.0.content.1.source.type', /string/],
  [
    'an image of another type',
    image({ type: 'base64', media_type: 'image/bmp', data: 'AA' }),
    'messages.0.content.1.source.media_type',
    /image\/png/,
  ],
  [
    'an image without data',
    image({ type: 'base64', media_type: 'image/png' }),
    'messages.0.content.1.source.data',
    /string/,
  ],
  ['an address that is none', image({ type: 'url' }), 'messages.0.content.1.source.url', /string/],
  ['a file without its id', image({ type: 'file' }), 'messages.0.content.1.source.file_id', /string/],
  [
    'a document of another type',
    document({ type: 'base64', media_type: 'application/zip', data: 'AA' }),
    `${at}.source.media_type`,
    /application\/pdf/,
  ],
  [
    'a text of another type',
    document({ type: 'text', media_type: 'text/html', data: 'AA' }),
    `${at}.source.media_type`,
    /text\/plain/,
  ],
  ['a call without its input', saidBy({ ...call, input: undefined }), 'messages.1.content.0.input', /object/],
  ['a call without its name', saidBy({ ...call, name: 1 }), 'messages.1.content.0.name', /string/],
  [
    'a thought without words',
    saidBy({ type: 'thinking', signature: 'x' }),
    'messages.1.content.0.thinking',
    /string/,
  ],
  ['a result of no call', user(result), `${at}.tool_use_id`, /previous turn/],
  [
    'a result of another call',
    answered({ ...result, tool_use_id: 'toolu_2' }),
    'messages.2.content.0.tool_use_id',
    /previous turn/,
  ],
  [
    'a result of a turn long ago',
    turns(hello, called, { role: 'assistant', content: 'x' }, { role: 'user', content: [result] }),
    'messages.3.content.0.tool_use_id',
    /previous turn/,
  ],
  [
    'two results of a call',
    turns(hello, called, { role: 'user', content: [result, result] }),
    'messages.2.content.1.tool_use_id',
    /one result/,
  ],
  [
    'a result without its call',
    answered({ type: 'tool_result' }),
    'messages.2.content.0.tool_use_id',
    /string/,
  ],
  ['a result of a number', answered({ ...result, content: 1 }), 'messages.2.content.0.content', /blocks/],
  [
    'a result of strange blocks',
    answered({ ...result, content: [{ type: 'text', text: 'x' }, {}] }),
    'messages.2.content.0.content.1.type',
    /string/,
  ],
  [
    'a mark within a result',
    answered({
      ...result,
      content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: 'x' } }],
    }),
    'messages.2.content.0.content.0.cache_control',
    /ephemeral/,
  ],
  ['instructions as an image', { system: [{ type: 'image' }] }, 'system.0.type', /text/],
  ['a warm temperature', { temperature: 1.5 }, 'temperature', /0 to 1/],
  ['a cold one', { temperature: -0.1 }, 'temperature', /0 to 1/],
  ['too much of the mass', { top_p: 1.1 }, 'top_p', /0 to 1/],
  ['fewer than no tokens', { top_k: -1 }, 'top_k', /at least 0/],
  ['a text to stop at', { stop_sequences: 'x' }, 'stop_sequences', /array/],
  [
    'a small budget',
    { thinking: { type: 'enabled', budget_tokens: 1_023 } },
    'thinking.budget_tokens',
    /1024/,
  ],
  [
    'a budget that leaves nothing',
    { thinking: { type: 'enabled', budget_tokens: 4_000 } },
    'thinking.budget_tokens',
    /max_tokens/,
  ],
  ['no budget', { thinking: { type: 'enabled' } }, 'thinking.budget_tokens', /is required/],
  ['thinking of no kind', { thinking: {} }, 'thinking.type', /adaptive/],
  [
    'an answer of no schema',
    { output_config: { format: { type: 'json_schema' } } },
    'output_config.format.schema',
    /./,
  ],
  ['an answer of no type', { output_format: { type: 'json_object' } }, 'output_format.type', /json_schema/],
  ['a tool without a name', tools({ input_schema: schema }), 'tools.0.name', /is required/],
  ['a tool of a wrong name', tools({ name: 'a b', input_schema: schema }), 'tools.0.name', /letters/],
  ['a long name', tools({ name: 'a'.repeat(129), input_schema: schema }), 'tools.0.name', /128/],
  ['a tool without a schema', tools({ name: 'f' }), 'tools.0.input_schema', /is required/],
  [
    'tools of one name',
    tools({ name: 'bash', input_schema: schema }, { type: 'bash_20250124', name: 'bash' }),
    'tools.1.name',
    /unique name/,
  ],
  ['a choice of no tool', { tool_choice: { type: 'tool' } }, 'tool_choice.name', /is required/],
  ['a choice of no kind', { tool_choice: { type: 'required' } }, 'tool_choice.type', /any/],
  ['a tag that is none', { metadata: { tags: [1] } }, 'metadata.tags.0', /string/],
  ['choices', { n: 2 }, 'n', /unknown field/],
  ['another bound', { max_completion_tokens: 5 }, 'max_completion_tokens', /unknown field/],
  ['a third one', { n_predict: 5 }, 'n_predict', /unknown field/],
  ['another vendor’s effort', { reasoning_effort: 'low' }, 'reasoning_effort', /unknown field/],
]

it.each(refused)('refuses %s', (_what, fields, param, pattern) => {
  const body = { model: 'm', max_tokens: 4_000, messages: [hello], ...fields }
  let thrown: unknown
  try {
    parseRequest(JSON.parse(JSON.stringify(body)) as object)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(GatewayError)
  const error = thrown as GatewayError
  expect([error.status, error.type, error.param]).toEqual([400, 'invalid_request_error', param])
  expect(error.message.startsWith(param)).toBe(true)
  expect(error.message).toMatch(pattern)
})

it.each<[string, object]>([
  ['turns of one side in a row', turns(hello, hello)],
  ['an assistant that begins', turns({ role: 'assistant', content: 'x' })],
  ['calls without results', turns(hello, called, hello)],
  [
    'a budget beyond the bound, with tools to think between',
    { thinking: { type: 'enabled', budget_tokens: 31_999 }, tools: [{ name: 'f', input_schema: schema }] },
  ],
])('leaves to the vendor: %s', (_what, fields) => {
  expect(() => parseRequest({ model: 'm', max_tokens: 4_000, messages: [hello], ...fields })).not.toThrow()
})
