import { GatewayError } from '@turnpike/protocol'
import { expect, it } from 'vitest'
import { refusal } from '../../testing/refusal.ts'
import { parseRequest } from './request.ts'

const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'c', output: 'x' }
const f = { type: 'function', name: 'f' }

const content = (part: unknown): object => ({ input: [{ role: 'user', content: [part] }] })

it.each<[string, object, string | null]>([
  ['no input', { input: undefined }, 'input'],
  ['an empty input', { input: [] }, 'input'],
  ['an empty text', { input: '' }, 'input'],
  ['another kind of input', { input: 5 }, 'input'],
  ['an item that is none', { input: ['x'] }, 'input[0]'],
  ['an item without a type', { input: [{ id: 'x', content: 'x' }] }, 'input[0].type'],
  ['an unknown role', { input: [{ role: 'tool', content: 'x' }] }, 'input[0].role'],
  ['a message without content', { input: [{ role: 'user' }] }, 'input[0].content'],
  ['a part that is none', content('x'), 'input[0].content[0]'],
  ['a part without a type', content({ text: 'x' }), 'input[0].content[0].type'],
  ['a text that is none', content({ type: 'input_text', text: 5 }), 'input[0].content[0].text'],
  ['an image without one', content({ type: 'input_image' }), 'input[0].content[0].image_url'],
  ['a bad data URL', content({ type: 'input_image', image_url: 'data:x' }), 'input[0].content[0].image_url'],
  ['a file without one', content({ type: 'input_file' }), 'input[0].content[0].file_data'],
  ['a call without an id', { input: [{ ...call, call_id: undefined }] }, 'input[0].call_id'],
  ['a call without arguments', { input: [{ ...call, arguments: {} }] }, 'input[0].arguments'],
  ['an output of no call', { input: [output] }, 'input[0].call_id'],
  ['two outputs of a call', { input: [call, output, output] }, 'input[2].call_id'],
  ['an output without one', { input: [call, { ...output, output: undefined }] }, 'input[1].output'],
  ['reasoning of another kind', { input: [{ type: 'reasoning', summary: 'x' }] }, 'input[0].summary'],
  ['an item by reference', { input: [{ type: 'item_reference', id: 'x' }] }, 'input[0].id'],
  ['an item by its id alone', { input: [{ id: 'x' }] }, 'input[0].id'],
  ['a reference without an id', { input: [{ type: 'item_reference' }] }, 'input[0].id'],
  ['an earlier answer', { previous_response_id: 'resp_1' }, 'previous_response_id'],
  ['a conversation', { conversation: { id: 'conv_1' } }, 'conversation'],
  ['a kept prompt', { prompt: { id: 'pmpt_1' } }, 'prompt'],
  ['background', { background: true }, 'background'],
  ['a bound of nothing', { max_output_tokens: 0 }, 'max_output_tokens'],
  ['a tool without a name', { tools: [{ type: 'function' }] }, 'tools[0].name'],
  ['a tool without a type', { tools: [{ name: 'f' }] }, 'tools[0].type'],
  ['two tools of a name', { tools: [f, f] }, 'tools[1].name'],
  ['parameters that are none', { tools: [{ ...f, parameters: 'x' }] }, 'tools[0].parameters'],
  ['an empty namespace', { tools: [{ type: 'namespace', name: 'n' }] }, 'tools[0].tools'],
  [
    'an unknown format',
    { tools: [{ type: 'custom', name: 'c', format: { type: 'x' } }] },
    'tools[0].format.type',
  ],
  ['another choice', { tools: [f], tool_choice: 'any' }, 'tool_choice'],
  ['a choice of no tool', { tools: [f], tool_choice: { type: 'function', name: 'g' } }, 'tool_choice.name'],
  [
    'nothing that is allowed',
    { tools: [f], tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [] } },
    'tool_choice.tools',
  ],
  ['a schema without a name', { text: { format: { type: 'json_schema', schema: {} } } }, 'text.format.name'],
  ['a format of chat', { text: { format: { type: 'json' } } }, 'text.format.type'],
  ['messages', { messages: [] }, 'messages'],
  ['a bound of chat', { max_tokens: 5 }, 'max_tokens'],
  ['a second bound', { n_predict: 5 }, 'n_predict'],
  ['choices', { n: 2 }, 'n'],
  ['choices in another word', { n_cmpl: 2 }, 'n_cmpl'],
  ['tags that are none', { metadata: { tags: 'x' } }, 'metadata.tags'],
])('refuses %s', (_what, body, param) => {
  const parse = (): unknown => parseRequest({ model: 'm', input: 'hi', ...body })
  expect(parse).toThrow(GatewayError)
  expect(parse).toThrow(refusal(param))
})
