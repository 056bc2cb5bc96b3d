import { createAnthropic } from '@ai-sdk/anthropic'
import { generateText, streamText, tool } from 'ai'
import { startVendorServer, type VendorServer } from '@turnpike/simulators'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as zod from 'zod'
import { startTestNode, type TestKey, type TestNode } from '../../testing/test-node.ts'
import { scripted } from '../sdk-node.ts'

let vendor: VendorServer
let node: TestNode
let key: TestKey

beforeAll(async () => {
  vendor = await startVendorServer()
  node = await startTestNode({
    input: {
      providers: { openai: { style: 'openai', base_url: vendor.baseUrl(), api_keys: ['sk'] } },
      models: { 'openai/gpt': { pricing: { prompt: '0.000001', completion: '0.000002' } } },
    },
  })
  key = await node.createKey()
})

afterAll(async () => {
  await node.stop()
  await vendor.close()
})

const model = () => createAnthropic({ baseURL: `${node.origin}/v1`, apiKey: key.raw })('openai/gpt')

test('the AI SDK with its Anthropic provider streams text of another vendor', async () => {
  const answer = streamText({ model: model(), prompt: 'Hello there', maxOutputTokens: 50 })
  let text = ''
  for await (const piece of answer.textStream) text += piece
  expect(text).not.toBe('')
  expect(await answer.finishReason).toBe('stop')
  expect((await answer.usage).outputTokens).toBeGreaterThan(0)
})

test('and runs its tools', async () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } }
  const head = { id: 'c', object: 'chat.completion', created: 1, model: 'gpt' }
  const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }
  const said = (message: object, finish_reason: string) =>
    scripted(200, { ...head, choices: [{ index: 0, message, finish_reason }], usage })
  vendor.next({ script: said({ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls') })
  vendor.next({ script: said({ role: 'assistant', content: 'It rains in Bern.' }, 'stop') })
  const asked: string[] = []
  const weather = tool({
    description: 'The weather of a city',
    inputSchema: zod.object({ city: zod.string() }),
    async execute({ city }) {
      asked.push(city)
      return 'rain'
    },
  })
  const { text } = await generateText({
    model: model(),
    prompt: 'How is the weather in Bern?',
    tools: { weather },
    stopWhen: ({ steps }) => steps.length === 2,
  })
  expect(asked).toEqual(['Bern'])
  expect(text).toBe('It rains in Bern.')
  const { request } = vendor.journal.entries.at(-1)!
  const { messages } = JSON.parse(request.body.toString()) as { messages: object[] }
  expect(messages.slice(-2)).toEqual([
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: expect.stringContaining('rain') as string },
  ])
})
