import { describe, expect, test } from 'vitest'
import { asAnthropic } from '../vendors/scripted/as-anthropic.ts'
import { asOpenai } from '../vendors/scripted/as-chat.ts'
import { plainScript, streamScript, type ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import { scripted } from '../sdk-node.ts'
import { answerOf, chatAnswer, costUsd, startCompletionsNode } from './completions-node.ts'
import { suiteWorld, testBooks } from '../../nodes/suite.ts'

/* Completions with vendors that have only conversations, and conversations with models that have none. */

const world = await suiteWorld(startCompletionsNode())

const usage = { input: 5, cached: 0, output: 3, reasoning: 0 }
const answer: ScriptedAnswer = { text: 'Grüezi 🌍', usage }
const styles = [
  ['house/m', asOpenai, '/v1/chat/completions'],
  ['claude/m', asAnthropic, '/v1/messages'],
] as const

describe.each(styles)('%s', (model, says, path) => {
  test('gets a text as a message, and its answer becomes a completion', async () => {
    world.vendor.next({ script: plainScript(says, answer) })
    const response = await world.ask({ model, prompt: 'Say hello', max_tokens: 50, stop: 'END' })
    expect(await response.json()).toMatchObject({
      id: expect.stringMatching(/^cmpl-/) as string,
      object: 'text_completion',
      model,
      choices: [{ text: answer.text, index: 0, logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8, cost_usd: costUsd },
    })
    const { path: at, body } = world.sent()
    expect(at).toBe(path)
    expect(body['messages']).toMatchObject([{ role: 'user' }])
    expect(JSON.stringify(body['messages'])).toContain('Say hello')
    expect(body).toMatchObject({ max_tokens: 50 })
  })

  test('streams it, and ends like completions', async () => {
    world.vendor.next({ script: streamScript(says, answer), split: { seed: 5, meanBytes: 7 } })
    const asked = { stream: true, stream_options: { include_usage: true } }
    const text = await (await world.ask({ model, prompt: 'Say hello', ...asked })).text()
    const events = text.split('\n\n').filter((event) => event.startsWith('data: {'))
    const chunks = events.map((event) => JSON.parse(event.slice(6)) as { choices: { text: string }[] })
    expect(chunks.flatMap(({ choices }) => choices.map((choice) => choice.text)).join('')).toBe(answer.text)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { cost_usd: costUsd } })
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(world.sent().body).toMatchObject({ max_tokens: 16 })
  })

  test.each([
    ['prompt', { prompt: ['a', 'b'] }],
    ['prompt', { prompt: [1, 2] }],
    ['prompt', { prompt: [[1, 2]] }],
    ['suffix', { suffix: 'end' }],
    ['echo', { echo: true }],
    ['best_of', { best_of: 2 }],
    ['logprobs', { logprobs: 1 }],
  ])('refuses by name what it cannot honour: %s of %j', async (param, more) => {
    const response = await world.ask({ model, prompt: 'x', ...more })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { param, message: expect.stringMatching(new RegExp(`^${param}`)) as string },
    })
  })

  test('omits what only affects the style of the answer, if the caller asks for leniency', async () => {
    world.vendor.next({ script: plainScript(says, answer) })
    const lenient = { 'x-turnpike-unsupported': 'drop' }
    const asked = { model, prompt: 'x', echo: true, best_of: 2, logprobs: 1 }
    const response = await world.ask(asked, lenient)
    expect([response.status, response.headers.get('x-turnpike-dropped')]).toEqual([
      200,
      'echo, best_of, logprobs',
    ])
    expect((await world.ask({ ...asked, suffix: 'x' }, lenient)).status).toBe(400)
  })
})

describe('a Mistral model that completes code', () => {
  const model = 'mistral/codestral-latest'

  test('gets prefix and suffix in its own fields', async () => {
    world.vendor.next({ script: scripted(200, chatAnswer('return 1')) })
    const asked = { model, prompt: 'def one():', suffix: 'print(one())', max_tokens: 9, seed: 7, user: 'ann' }
    const response = await world.ask(asked)
    expect(await response.json()).toMatchObject({
      object: 'text_completion',
      model,
      choices: [{ text: 'return 1', index: 0, finish_reason: 'stop' }],
      usage: { cost_usd: costUsd },
    })
    const { path, body } = world.sent()
    const { prompt, suffix, max_tokens } = asked
    expect([path, body]).toEqual([
      '/v1/fim/completions',
      { model: 'codestral-latest', prompt, suffix, max_tokens, random_seed: 7 },
    ])
  })

  test('streams usage without being asked for it', async () => {
    world.vendor.next({ script: streamScript(asOpenai, answer) })
    const text = await (await world.ask({ model, prompt: 'x', stream: true })).text()
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(world.sent().body).toEqual({
      model: 'codestral-latest',
      prompt: 'x',
      max_tokens: 16,
      stream: true,
    })
  })

  test.each([
    ['prompt', { prompt: ['a', 'b'] }],
    ['echo', { echo: true }],
    ['n', { n: 2 }],
    ['frequency_penalty', { frequency_penalty: 1 }],
  ])('refuses by name what it cannot honour: %s', async (param, more) => {
    const response = await world.ask({ model, prompt: 'x', ...more })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param } })
  })

  test('holds conversations with callers of the other APIs', async () => {
    world.vendor.next({ script: scripted(200, chatAnswer('Hi')) })
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    await world.client.chat.completions.create({ model, messages })
    expect(world.sent()).toMatchObject({ path: '/v1/chat/completions', body: { messages } })
  })
})

test('accepts a list of one text as one text', async () => {
  world.vendor.next({ script: scripted(200, chatAnswer('Hi')) })
  const asked = { model: 'house/m', prompt: ['x'], suffix: '', best_of: 1, echo: false, logprobs: null }
  expect((await world.ask(asked)).status).toBe(200)
})

test.each([
  [{}, 'prompt'],
  [{ prompt: null }, 'prompt'],
  [{ prompt: {} }, 'prompt'],
  [{ prompt: [] }, 'prompt'],
  [{ prompt: [[]] }, 'prompt[0]'],
  [{ prompt: ['a', 1] }, 'prompt[1]'],
  [{ prompt: [1.5] }, 'prompt[0]'],
  [{ prompt: [-1] }, 'prompt[0]'],
  [{ prompt: 'x', max_tokens: -1 }, 'max_tokens'],
  [{ prompt: 'x', max_completion_tokens: 5 }, 'max_completion_tokens'],
  [{ prompt: 'x', n_predict: -1 }, 'n_predict'],
  [{ prompt: 'x', n: 3, best_of: 2 }, 'best_of'],
  [{ prompt: 'x', n_cmpl: 9 }, 'n_cmpl'],
  [{ prompt: 'x', prompt_embeds: 'AAAA' }, 'prompt_embeds'],
  [{ prompt: 'x', messages: [{ role: 'user', content: 'x' }] }, 'messages'],
  [{ prompt: 'x', tools: [] }, 'tools'],
  [{ prompt: Array.from({ length: 100 }, () => 'x'), n: 100 }, 'prompt'],
  [{ prompt: 'x', echo: 'yes' }, 'echo'],
  [{ prompt: 'x', Max_tokens: 5 }, 'Max_tokens'],
  [{ prompt: 'x', lora_id: 'x' }, 'lora_id'],
])('names what is wrong: %j', async (body, param) => {
  const response = await world.ask({ model: 'vllm/m', ...body })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param } })
})

describe('a model that continues a text', () => {
  const model = 'openai/gpt-3.5-turbo-instruct'
  const chat = (body: object): Promise<Response> =>
    world.node.post(world.key, '/chat/completions', { model, ...body })
  const user = { role: 'user', content: 'Say hello' }

  test('answers callers of chat completions that send one text', async () => {
    world.vendor.next({ script: scripted(200, answerOf(['Hello'])) })
    const response = await chat({ messages: [user], max_tokens: 9 })
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'length' }],
      usage: { cost_usd: costUsd },
    })
    const { path, body } = world.sent()
    expect([path, body]).toEqual([
      '/v1/completions',
      { model: 'gpt-3.5-turbo-instruct', prompt: 'Say hello', max_tokens: 9 },
    ])
  })

  test.each([
    ['messages[1]', { messages: [user, { role: 'assistant', content: 'Hi' }, user] }],
    ['messages[0].role', { messages: [{ role: 'system', content: 'x' }, user] }],
    ['tools[0]', { messages: [user], tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['logprobs', { messages: [user], logprobs: true }],
    ['response_format.type', { messages: [user], response_format: { type: 'json_object' } }],
  ])('refuses by name what is more than that: %s', async (param, body) => {
    const response = await chat(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param } })
  })
})

testBooks(world)
