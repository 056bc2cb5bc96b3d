import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, stepCountIs, streamText, tool } from 'ai'
import type OpenAI from 'openai'
import { foldedChunks } from '../folded-chunks.ts'
import { list, object, text, type Json } from '../oracle/json.ts'
import { sdk } from '../../sdk-node.ts'
import type { VendorNode } from '../vendor-node.ts'

/** The tool of these conversations, and its result. */
export const question = 'What is the weather in Zürich?'
export const toolOutput = '{"celsius":7}'
const description = 'Tells the weather of a city.'
const parameters = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
  additionalProperties: false,
}

export interface TwoTurns {
  /** What the client received in the first turn. */
  reasoning: string
  calls: { name: string; arguments: unknown }[]
  /** What the client received in the second turn. */
  answer: string
}

/** Sends the question, calls the requested tool, sends the result, and reads the answer; always streamed. */
export type Client = (world: VendorNode, model: string) => Promise<TwoTurns>

/** OpenAI's SDK in a program that sends back everything that it received (docs/contract.md, 5.4). */
export const keepsEverything: Client = (world, model) => openaiSdk(world, model, (message) => message)

/** OpenAI's SDK in a program that knows only OpenAI's own fields. */
export const keepsOpenaiFields: Client = (world, model) =>
  openaiSdk(world, model, ({ role, content, tool_calls }) => ({ role, content: content ?? null, tool_calls }))

async function openaiSdk(world: VendorNode, model: string, kept: (message: Json) => Json): Promise<TwoTurns> {
  const client = sdk(world.node, world.key.raw)
  const declared = { name: 'get_weather', description, parameters }
  const ask = async (messages: Json[]): Promise<Json> => {
    const stream = await client.chat.completions.create({
      model,
      messages: messages as unknown as OpenAI.Chat.ChatCompletionMessageParam[],
      tools: [{ type: 'function', function: declared }],
      reasoning_effort: 'low',
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks: Json[] = []
    for await (const chunk of stream as unknown as AsyncIterable<Json>) chunks.push(chunk)
    return object(list(foldedChunks(chunks)['choices'])[0]!['message'])
  }
  const messages: Json[] = [{ role: 'user', content: question }]
  const first = await ask(messages)
  const calls = list(first['tool_calls'])
  const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: toolOutput }))
  const second = await ask([...messages, kept(first), ...results])
  return {
    reasoning: text(first['reasoning_content']),
    calls: calls.map((call) => {
      const called = object(call['function'])
      return { name: text(called['name']), arguments: JSON.parse(text(called['arguments'])) }
    }),
    answer: text(second['content']),
  }
}

/** The `ai` SDK, which runs the whole loop by itself. */
export const aiSdk: Client = async (world, model) => {
  const provider = createOpenAICompatible({
    name: 'turnpike',
    baseURL: world.node.baseUrl,
    apiKey: world.key.raw,
    includeUsage: true,
  })
  const result = streamText({
    model: provider(model),
    prompt: question,
    tools: {
      get_weather: tool({
        description,
        inputSchema: jsonSchema<{ city: string }>(parameters),
        execute: () => JSON.parse(toolOutput) as object,
      }),
    },
    stopWhen: stepCountIs(2),
    maxRetries: 0,
    providerOptions: { turnpike: { reasoningEffort: 'low' } },
    onError: ({ error }) => {
      throw error
    },
  })
  const [first, second] = await result.steps
  return {
    reasoning: first!.reasoningText ?? '',
    calls: first!.toolCalls.map((call) => ({ name: call.toolName, arguments: call.input })),
    answer: second!.text,
  }
}
