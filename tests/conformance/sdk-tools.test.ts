import type OpenAI from 'openai'
import { openaiSchemas } from '@turnpike/simulators/openai-schema'
import { describe, expect, test } from 'vitest'
import { startSdkNode } from './sdk-node.ts'
import { suiteWorld } from '../nodes/suite.ts'

type Body = Omit<OpenAI.Chat.ChatCompletionCreateParamsNonStreaming, 'model'>
type Choice = OpenAI.Chat.ChatCompletion.Choice

const schemas = openaiSchemas()
const model = 'openai/gpt-4o-mini'
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
  additionalProperties: false,
}
const tools = ['get_weather', 'get_time'].map((name) => ({
  type: 'function' as const,
  function: { name, description: `Does ${name}.`, parameters, strict: true },
}))

const world = await suiteWorld(startSdkNode())

/** The choice of a plain answer, after comparing it with the streamed one. */
async function bothWays(body: Body): Promise<Choice> {
  const plain = await world.client.chat.completions.create({ model, ...body })
  expect(schemas?.faultsOfCompletion(plain) ?? []).toEqual([])
  const stream = world.client.chat.completions.stream({ model, ...body } as never)
  stream.on('chunk', (chunk) => expect(schemas?.faultsOfChunk(chunk) ?? []).toEqual([]))
  const [folded] = (await stream.finalChatCompletion()).choices
  const [choice] = plain.choices
  expect(folded!.finish_reason).toBe(choice!.finish_reason)
  expect(folded!.message.content).toBe(choice!.message.content)
  expect(callsOf(folded!)).toEqual(callsOf(choice!))
  return choice!
}

function callsOf(choice: Choice): { name: string; arguments: unknown }[] {
  return (choice.message.tool_calls ?? []).map((call) => {
    if (call.type !== 'function') throw new Error('not a function call')
    expect(call.id).toMatch(/^call_/u)
    return { name: call.function.name, arguments: JSON.parse(call.function.arguments) as unknown }
  })
}

const say = (content: string): Body['messages'] => [{ role: 'user', content }]
const filled = { city: expect.any(String), days: expect.any(Number) }

describe('tools, with tool_choice', () => {
  test('auto: are called if the model decides to', async () => {
    const choice = await bothWays({ messages: say('Weather? [sandbox: pace=0 tool=get_weather]'), tools })
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } })
    expect(callsOf(choice)).toEqual([{ name: 'get_weather', arguments: filled }])
  })

  test('auto: are not called if it does not', async () => {
    const choice = await bothWays({ messages: say('Hello [sandbox: pace=0]'), tools, tool_choice: 'auto' })
    expect(choice).toMatchObject({ finish_reason: 'stop', message: { content: 'Hello' } })
  })

  test('none: are not called', async () => {
    const messages = say('Hello [sandbox: pace=0 tool=get_weather]')
    const choice = await bothWays({ messages, tools, tool_choice: 'none' })
    expect(choice).toMatchObject({ finish_reason: 'stop', message: { content: 'Hello' } })
  })

  test('required: are called', async () => {
    const choice = await bothWays({
      messages: say('Hello [sandbox: pace=0]'),
      tools,
      tool_choice: 'required',
    })
    expect(callsOf(choice)).toHaveLength(1)
  })

  test('by name: are called', async () => {
    const named = { type: 'function' as const, function: { name: 'get_time' } }
    const choice = await bothWays({ messages: say('Hello [sandbox: pace=0]'), tools, tool_choice: named })
    expect(choice.finish_reason).toBe('stop')
    expect(callsOf(choice)).toEqual([{ name: 'get_time', arguments: filled }])
    expect(world.lastRequest().json).toMatchObject({ tools, tool_choice: named })
  })

  test('with parallel calls', async () => {
    const messages = say('Both [sandbox: pace=0 tool=get_weather,get_time]')
    const choice = await bothWays({ messages, tools, parallel_tool_calls: true })
    expect(callsOf(choice).map((call) => call.name)).toEqual(['get_weather', 'get_time'])
    expect(world.lastRequest().json['parallel_tool_calls']).toBe(true)
  })

  test("work in the SDK's whole loop: call, result, answer", async () => {
    const seen: unknown[] = []
    const runner = world.client.chat.completions.runTools({
      model,
      messages: say('Weather? [sandbox: pace=0 tool=get_weather]'),
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: 'Tells the weather.',
            parameters,
            parse: JSON.parse,
            function: (given: unknown) => {
              seen.push(given)
              return 'sunny'
            },
          },
        },
      ],
    })
    expect(await runner.finalContent()).toBe('Weather?')
    expect(seen).toEqual([filled])
    const { messages } = world.lastRequest().json as { messages: { role: string; content: unknown }[] }
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool'])
    expect(messages[2]!.content).toBe('sunny')
  })
})

describe('JSON output', () => {
  test('follows a schema, and is parsed by the SDK', async () => {
    const format = {
      type: 'json_schema' as const,
      json_schema: { name: 'forecast', schema: parameters, strict: true },
    }
    const completion = await world.client.chat.completions.parse({
      model,
      messages: say('Forecast [sandbox: pace=0]'),
      response_format: format,
    })
    expect(schemas?.faultsOfCompletion(completion) ?? []).toEqual([])
    expect(completion.choices[0]!.message.parsed).toEqual(filled)
    expect(world.lastRequest().json['response_format']).toEqual(format)
  })

  test('is an object', async () => {
    const choice = await bothWays({
      messages: say('Say JSON [sandbox: pace=0]'),
      response_format: { type: 'json_object' },
    })
    expect(JSON.parse(choice.message.content!)).toEqual({ text: 'Say JSON' })
  })
})
