import { expect, test } from 'vitest'
import { goodBody, refusingNode } from './refusing-node.ts'

const world = await refusingNode()

const values = { text: 'x', number: 1.5, flag: true, object: { a: 1 }, list: [1.5], null: null }
type Kind = keyof typeof values

/** Every field that the gateway reads is listed here. The vendor validates all others. */
const whole = {
  model: 'openai/gpt-4o-mini',
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Hello' }], name: 'ann' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', content: 'sunny', tool_call_id: 'call_1' },
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: 'https://images.example/a.png' } },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
        { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' } },
        { type: 'refusal', refusal: 'No.' },
      ],
    },
  ],
  metadata: { tags: ['t'] },
  stream: false,
  stream_options: { include_usage: true },
  n: 1,
  max_tokens: 10,
  max_completion_tokens: 10,
  temperature: 1,
  top_p: 1,
  frequency_penalty: 0,
  presence_penalty: 0,
  stop: ['x'],
  seed: 1,
  logprobs: true,
  top_logprobs: 2,
  logit_bias: { '1': 1 },
  user: 'u',
  tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: {}, strict: true } }],
  tool_choice: { type: 'function', function: { name: 'f' } },
  parallel_tool_calls: true,
  response_format: { type: 'json_schema', json_schema: { name: 's', schema: {} } },
  reasoning_effort: 'low',
}

/** Path of a field, and the kinds of values that it accepts. Elements have their own rows. */
const fields: [string, Kind[]][] = [
  ['model', ['text']],
  ['models', ['list', 'null']],
  ['messages', ['list']],
  ['messages[0]', ['object']],
  ['messages[0].role', []],
  ['messages[0].content', ['list', 'text', 'null']],
  ['messages[0].content[0]', ['object']],
  ['messages[0].content[0].type', ['text']],
  ['messages[0].content[0].text', ['text']],
  ['messages[0].name', ['text', 'null']],
  ['messages[1].tool_calls', ['list', 'null']],
  ['messages[1].tool_calls[0]', ['object']],
  ['messages[1].tool_calls[0].id', ['text']],
  ['messages[1].tool_calls[0].type', ['text']],
  ['messages[1].tool_calls[0].function', ['object']],
  ['messages[1].tool_calls[0].function.name', ['text']],
  ['messages[1].tool_calls[0].function.arguments', ['text']],
  ['messages[2].tool_call_id', ['text', 'null']],
  ['messages[3].content[0].image_url', ['object']],
  ['messages[3].content[0].image_url.url', ['text']],
  ['messages[3].content[1].input_audio', ['object']],
  ['messages[3].content[1].input_audio.data', ['text']],
  ['messages[3].content[1].input_audio.format', ['text']],
  ['messages[3].content[2].file', ['object']],
  ['messages[3].content[2].file.file_data', ['text']],
  ['messages[3].content[3].refusal', ['text']],
  ['metadata', ['null', 'object']],
  ['metadata.tags', ['list', 'null']],
  ['metadata.tags[0]', ['text']],
  ['stream', ['flag', 'null']],
  ['stream_options', ['null', 'object']],
  ['stream_options.include_usage', ['flag', 'null']],
  ['n', ['null']],
  ['max_tokens', ['null']],
  ['max_completion_tokens', ['null']],
  ['temperature', ['number', 'null']],
  ['top_p', ['null']],
  ['frequency_penalty', ['number', 'null']],
  ['presence_penalty', ['number', 'null']],
  ['stop', ['list', 'text', 'null']],
  ['stop[0]', ['text']],
  ['seed', ['number', 'null']],
  ['logprobs', ['flag', 'null']],
  ['top_logprobs', ['null']],
  ['logit_bias', ['object', 'null']],
  ['user', ['text', 'null']],
  ['tools', ['list', 'null']],
  ['tools[0]', ['object']],
  ['tools[0].type', ['text']],
  ['tools[0].function', ['object']],
  ['tools[0].function.name', ['text']],
  ['tools[0].function.description', ['text', 'null']],
  ['tools[0].function.parameters', ['object', 'null']],
  ['tools[0].function.strict', ['flag', 'null']],
  ['tool_choice', ['text', 'null']],
  ['tool_choice.type', ['text']],
  ['parallel_tool_calls', ['flag', 'null']],
  ['response_format', ['object', 'null']],
  ['response_format.type', ['text']],
  ['response_format.json_schema', ['object', 'null']],
  ['response_format.json_schema.name', ['text']],
  ['response_format.json_schema.schema', ['object', 'null']],
  ['reasoning_effort', ['text', 'null']],
]

const wrongKinds = fields.flatMap(([path, takes]) => {
  const wrong = (Object.keys(values) as Kind[]).filter((kind) => !takes.includes(kind))
  return wrong.map((kind): [string, Kind, unknown] => [path, kind, values[kind]])
})

/** Values of the right kind that are out of bounds or not in the enumeration. */
const wrongValues: [string, unknown][] = [
  ['model', ''],
  ['model', 'm'.repeat(10_240)],
  ['messages', []],
  ['messages[0].role', 'User'],
  ['messages[0].role', 'robot'],
  ['messages[0].role', ''],
  ['n', 0],
  ['n', 129],
  ['n', 2 ** 53],
  ['max_tokens', 0],
  ['max_tokens', -1],
  ['max_tokens', 1e308],
  ['max_tokens', 2 ** 53],
  ['max_completion_tokens', 0],
  ['max_completion_tokens', 2_147_483_648],
  ['temperature', -0.001],
  ['temperature', 2.001],
  ['top_p', 1.001],
  ['frequency_penalty', 2.001],
  ['presence_penalty', -2.001],
  ['top_logprobs', -1],
  ['top_logprobs', 21],
  ['tools[0].function.name', ''],
  ['n_cmpl', 8],
  ['num_return_sequences', 8],
  ['tool_choice', { function: { name: 'f' } }],
]

/** Required fields. */
const required: string[] = [
  'model',
  'messages',
  'messages[0].role',
  'messages[0].content[0].type',
  'messages[0].content[0].text',
  'messages[1].tool_calls[0].function.name',
  'messages[3].content[0].image_url',
  'messages[3].content[0].image_url.url',
  'messages[3].content[1].input_audio.data',
  'messages[3].content[2].file.file_data',
  'tools[0].type',
  'tools[0].function.name',
  'response_format.type',
  'response_format.json_schema.name',
]

function stepsOf(path: string): string[] {
  return path.split(/[.[\]]+/u).filter((step) => step !== '')
}

/** The complete body with one value changed, or left out if it is undefined. */
function bodyWith(path: string, value: unknown): object {
  const body = structuredClone(whole) as unknown as Record<string, unknown>
  const steps = stepsOf(path)
  const last = steps.pop()!
  let holder = body
  for (const step of steps) holder = holder[step] as Record<string, unknown>
  if (value === undefined) delete holder[last]
  else holder[last] = value
  return body
}

/** The tags of a refused body are recorded if they can be read. */
function tagsBeside(path: string): string[] {
  return path.startsWith('metadata') ? ['bad'] : ['bad', 't']
}

test('the complete body itself is valid', async () => {
  const answer = await world.node.chat(await world.node.createKey(), whole)
  expect(await answer.json()).toMatchObject({ object: 'chat.completion' })
  // It was not a refused request, so the vendor must forget it.
  world.vendor.journal.total--
})

test('the table contains every field of the body', () => {
  const paths = new Set(fields.map(([path]) => path))
  const missing: string[] = []
  const visit = (value: unknown, path: string): void => {
    if (path !== '' && !paths.has(path)) missing.push(path)
    if (Array.isArray(value)) visit(value[0], `${path}[0]`)
    else if (typeof value === 'object' && value !== null)
      for (const [key, child] of Object.entries(value)) visit(child, path === '' ? key : `${path}.${key}`)
  }
  const { messages: _messages, logit_bias: _bias, tool_choice: _choice, ...rest } = whole
  visit(rest, '')
  expect(missing).toEqual([])
})

test.each(wrongKinds)('refuses %s of the wrong kind: %s', async (path, _kind, value) => {
  const response = await world.post(bodyWith(path, value), { 'x-turnpike-tags': 'bad' })
  await world.expectRefused(response, {
    status: 400,
    param: path,
    message: /expected/u,
    tags: tagsBeside(path),
  })
})

test.each(wrongValues)('refuses %s out of bounds (%#)', async (path, value) => {
  const response = await world.post(bodyWith(path, value), { 'x-turnpike-tags': 'bad' })
  await world.expectRefused(response, {
    status: 400,
    param: path,
    message: /expected/u,
    tags: tagsBeside(path),
  })
})

test.each(required)('refuses a body without %s', async (path) => {
  const response = await world.post(bodyWith(path, undefined))
  await world.expectRefused(response, { status: 400, param: path, message: /expected/u, tags: ['t'] })
})

test.each(['assistant', 'system'])(
  'refuses a %s message of null entries only, and names its index',
  async (role) => {
    const messages = [...goodBody.messages, null, { role, content: 'x' }]
    await world.expectRefused(await world.post({ ...goodBody, messages }), {
      status: 400,
      param: 'messages[1]',
    })
  },
)
