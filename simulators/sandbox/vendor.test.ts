import { describe, expect, test } from 'vitest'
import { openaiSchemas } from '../openai-schema.ts'
import { sandboxModels } from './models.ts'
import { ask } from './testing/play.ts'
import { countTokens } from './tokens.ts'
import { createSandboxVendor } from './vendor.ts'

const schemas = openaiSchemas()
const vendor = createSandboxVendor({ now: () => 1_770_000_000_000 })

function prompt(text: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: 'echo', messages: [{ role: 'user', content: text }], ...more }
}

interface Completion {
  choices: {
    index: number
    finish_reason: string
    logprobs: unknown
    message: {
      content: string | null
      refusal: unknown
      tool_calls?: { id: string; function: { name: string; arguments: string } }[]
      reasoning_content?: string
    }
  }[]
  usage?: Record<string, number> & { completion_tokens_details: { reasoning_tokens: number } }
}

function complete(body: Record<string, unknown>): Completion {
  const answer = ask(vendor, body)
  expect(answer.script.status, answer.text).toBe(200)
  const value = JSON.parse(answer.text) as Completion
  expect(schemas?.faultsOfCompletion(value) ?? []).toEqual([])
  return value
}

interface Chunk {
  choices: {
    index: number
    delta: { content?: string; reasoning_content?: string; tool_calls?: unknown[] }
    finish_reason: string | null
  }[]
  usage?: unknown
}

function chunksOf(body: Record<string, unknown>): Chunk[] {
  const { events } = ask(vendor, { ...body, stream: true })
  expect(events.at(-1)).toBe('[DONE]')
  return events.slice(0, -1).map((event) => {
    const chunk = JSON.parse(event) as Chunk
    expect(schemas?.faultsOfChunk(chunk) ?? []).toEqual([])
    return chunk
  })
}

function streamedText(chunks: Chunk[], index: number = 0): string {
  return chunks.map((chunk) => chunk.choices.find((one) => one.index === index)?.delta.content ?? '').join('')
}

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        unit: { enum: ['C', 'F'] },
        days: { type: 'integer', minimum: 3 },
      },
      required: ['city', 'unit', 'days'],
    },
  },
}
const clock = {
  type: 'function',
  function: { name: 'get_time', parameters: { type: 'object', properties: {} } },
}

describe('answers', () => {
  test('echo returns the last user message, plain or streamed', () => {
    const text = 'Grüße, 世界 👩‍👩‍👧! And a verylongwordwithoutanyspaces.\nNew line'
    const plain = complete(prompt(text))
    expect(plain.choices[0]).toMatchObject({ finish_reason: 'stop', logprobs: null })
    expect(plain.choices[0]!.message).toMatchObject({ content: text, refusal: null })
    const chunks = chunksOf(prompt(text))
    expect(streamedText(chunks)).toBe(text)
    expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe('stop')
    expect(chunks.every((chunk) => !('usage' in chunk))).toBe(true)
  })

  test('usage counts the sandbox’s tokens, and a stream reports the same as a plain answer', () => {
    const text = 'one two three'
    const { usage } = complete(prompt(text))
    expect(usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 })
    const chunks = chunksOf(prompt(text, { stream_options: { include_usage: true } }))
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage })
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true)
  })

  test('the same request gets the same answer, and another request gets another', () => {
    const lorem = (text: string): string => ask(vendor, prompt(text, { model: 'lorem', stream: true })).text
    expect(lorem('a')).toBe(lorem('a'))
    expect(lorem('a')).not.toBe(lorem('b'))
  })

  test('lorem fills max_tokens and finishes with length', () => {
    for (const field of ['max_tokens', 'max_completion_tokens']) {
      const { choices, usage } = complete(prompt('x', { model: 'sandbox/lorem', [field]: 33 }))
      expect(usage!.completion_tokens).toBe(33)
      expect(choices[0]!.finish_reason).toBe('length')
      expect(countTokens(choices[0]!.message.content!)).toBe(33)
    }
    const most = complete(prompt('x', { model: 'lorem', max_tokens: 1_000_000 }))
    expect(most.usage!.completion_tokens).toBe(sandboxModels[1]!.maxOutputTokens)
  })

  test('echo is cut off by max_tokens and by stop', () => {
    expect(complete(prompt('one two three', { max_tokens: 2 })).choices[0]).toMatchObject({
      finish_reason: 'length',
      message: { content: 'one two' },
    })
    const stopped = complete(prompt('one two three', { stop: ['three', ' two'] }))
    expect(stopped.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'one' } })
  })

  test('n choices alternate in a stream and are all charged', () => {
    const plain = complete(prompt('one two', { n: 3 }))
    expect(plain.choices.map((choice) => choice.index)).toEqual([0, 1, 2])
    expect(plain.usage!.completion_tokens).toBe(6)
    const chunks = chunksOf(prompt('one two', { n: 3 }))
    expect([0, 1, 2].map((index) => streamedText(chunks, index))).toEqual(['one two', 'one two', 'one two'])
    expect(chunks.slice(3, 6).map((chunk) => chunk.choices[0]!.index)).toEqual([0, 1, 2])
  })

  test('calls a tool if required, with arguments that fit its schema', () => {
    const named = { type: 'function', function: { name: 'get_weather' } }
    for (const [choice, finish] of [
      ['required', 'tool_calls'],
      [named, 'stop'],
    ] as const) {
      const body = prompt('hi', { tools: [weather, clock], tool_choice: choice })
      const [plain] = complete(body).choices
      expect(plain!.finish_reason).toBe(finish)
      expect(plain!.message.content).toBeNull()
      const [call] = plain!.message.tool_calls!
      expect(call!.function.name).toBe('get_weather')
      expect(JSON.parse(call!.function.arguments)).toEqual({ city: 'sandbox', unit: 'C', days: 3 })
      const streamed = chunksOf(body).flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? [])
      expect(streamed[0]).toMatchObject({ index: 0, function: { arguments: '' } })
      const pieces = streamed as { function: { arguments: string } }[]
      expect(pieces.map((piece) => piece.function.arguments).join('')).toBe(call!.function.arguments)
    }
    expect(complete(prompt('hi', { tools: [weather] })).choices[0]!.message.content).toBe('hi')
  })

  test('follows response_format', () => {
    const schema = weather.function.parameters
    const structured = { type: 'json_schema', json_schema: { name: 'x', schema } }
    const content = (format: unknown): unknown =>
      JSON.parse(complete(prompt('hi', { response_format: format })).choices[0]!.message.content!)
    expect(content(structured)).toEqual({ city: 'sandbox', unit: 'C', days: 3 })
    expect(content({ type: 'json_object' })).toEqual({ text: 'hi' })
  })

  test('streams at a natural pace: 20 to 60 tokens a second', () => {
    const { delayMs } = ask(vendor, prompt('x', { model: 'lorem', max_tokens: 500, stream: true }))
    expect(delayMs).toBeGreaterThan(500 * (1000 / 60) * 0.9)
    expect(delayMs).toBeLessThan(500 * (1000 / 20) * 1.1 + 240)
  })
})

describe('refusals', () => {
  test.each([
    ['{"model": ', 400, null],
    ['[]', 400, null],
    [{ messages: [] }, 400, 'model'],
    [{ model: 'echo' }, 400, 'messages'],
    [{ model: 'echo', messages: [] }, 400, 'messages'],
    [{ model: 'echo', messages: [7] }, 400, 'messages[0].role'],
    [prompt('x', { n: 0 }), 400, 'n'],
    [prompt('x', { n: 9 }), 400, 'n'],
    [prompt('x', { max_tokens: 1.5 }), 400, 'max_tokens'],
    [prompt('x', { stop: [1] }), 400, 'stop'],
    [prompt('x', { tool_choice: 'any' }), 400, 'tool_choice'],
    [prompt('x', { model: 'gpt-9' }), 404, 'model'],
    [prompt('word '.repeat(131_072)), 400, 'messages'],
  ])('%#: refuses a bad request and names the field', (body, status, param) => {
    const { script, text } = ask(vendor, body)
    expect(script.status).toBe(status)
    expect(JSON.parse(text)).toMatchObject({ error: { param, message: expect.any(String) } })
  })

  test('refuses a wrong credential and an unknown path, and lists the models', () => {
    const guarded = createSandboxVendor({ apiKeys: ['right'] })
    const get = (path: string, authorization: string): number =>
      guarded.answer({ method: 'GET', path, headers: { authorization }, body: Buffer.alloc(0) }).status
    expect(get('/v1/models', 'Bearer right')).toBe(200)
    expect(get('/v1/models', 'Bearer wrong')).toBe(401)
    expect(get('/v1/other', 'Bearer right')).toBe(404)
  })

  test('answers for other models if configured to', () => {
    const open = createSandboxVendor({ otherModels: 'echo' })
    expect(JSON.parse(ask(open, prompt('x', { model: 'gpt-9' })).text)).toMatchObject({ model: 'gpt-9' })
  })
})
