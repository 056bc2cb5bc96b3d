import { HumanMessage, ToolMessage, type AIMessageChunk, type BaseMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI, type ChatOpenAIFields } from '@langchain/openai'
import { describe, expect, test } from 'vitest'
import * as zod from 'zod'
import { called, forecast, looked, said, thought } from '../../messages/sdk/feature-vendor.ts'
import { startFeatureNode } from '../../messages/sdk/feature-node.ts'
import { modelOf, styleNames } from '../../vendors/scripted/styled-vendor.ts'
import { suiteWorld } from '../../../nodes/suite.ts'

/** LangChain's `ChatOpenAI` on `/v1/responses`, with both of its output versions. */

const world = await suiteWorld(startFeatureNode())

const usage = {
  input_tokens: 112,
  output_tokens: 65,
  total_tokens: 177,
  input_token_details: { cache_read: 100 },
}
const pairs = styleNames.flatMap((style) =>
  (['v0', 'v1'] as const).map((version) => [style, version] as const),
)

async function collect(stream: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined
  for await (const chunk of stream) whole = whole === undefined ? chunk : whole.concat(chunk)
  return whole!
}

describe.each(pairs)('with a vendor of the style %s, output %s', (style, outputVersion) => {
  const chat = (more: Partial<ChatOpenAIFields> = {}): ChatOpenAI =>
    new ChatOpenAI({
      model: modelOf(style),
      apiKey: world.key.raw,
      maxRetries: 0,
      useResponsesApi: true,
      outputVersion,
      configuration: { baseURL: world.node.baseUrl },
      ...more,
    })

  test('gives an answer with its usage', async () => {
    const message = await chat().invoke('[[text]] Hello')
    expect([message.text, message.usage_metadata]).toMatchObject([said, usage])
  })

  test('streams', async () => {
    const message = await collect(await chat().stream('[[text]] Hello'))
    expect([message.text, message.usage_metadata]).toMatchObject([said, usage])
  })

  test.each(['plain', 'streamed'])('calls tools that are bound, %s', async (way) => {
    const weather = tool(({ city }: { city: string }) => `7 °C in ${city}`, {
      name: called.name,
      description: 'Tells the weather.',
      schema: zod.object({ city: zod.string() }),
    })
    const bound = chat({ reasoning: { effort: 'low', summary: 'auto' }, zdrEnabled: true }).bindTools([
      weather,
    ])
    const ask = async (messages: BaseMessage[]): Promise<AIMessageChunk> =>
      way === 'plain' ? bound.invoke(messages) : collect(await bound.stream(messages))
    const marker = `[[thinking ${way} ${outputVersion}]]`
    const messages: BaseMessage[] = [new HumanMessage(`${marker} How is the weather?`)]
    const first = await ask(messages)
    const [call] = first.tool_calls!
    expect([call!.name, call!.args]).toEqual([called.name, called.arguments])
    messages.push(first, new ToolMessage({ content: '7 °C', tool_call_id: call!.id! }))
    expect((await ask(messages)).text).toBe(looked)
    const sent = JSON.stringify(world.asked(style, marker)[1])
    expect(sent).toContain('7 °C')
    expect(sent).not.toContain('turnpike.')
    if (style === 'anthropic' || style === 'google') expect(sent).toContain(thought.signature)
  })

  test.each(['jsonSchema', 'functionCalling'] as const)('gives an output by schema: %s', async (method) => {
    // DeepSeek gets a schema as an instruction only, so it may not be strict.
    const defaultHeaders = style === 'deepseek' ? { 'x-turnpike-unsupported': 'drop' } : {}
    const configuration = { baseURL: world.node.baseUrl, defaultHeaders }
    const schema = zod.object({ city: zod.string(), days: zod.number() })
    const structured = chat({ configuration }).withStructuredOutput(schema, { method, name: 'forecast' })
    const feature = method === 'jsonSchema' ? 'json' : 'called'
    expect(await structured.invoke(`[[${feature}]] A forecast`)).toEqual(forecast)
  })
})
