import { createOpenAI } from '@ai-sdk/openai'
import { generateObject, generateText, Output, stepCountIs, streamText, tool, type ModelMessage } from 'ai'
import { describe, expect, test } from 'vitest'
import * as zod from 'zod'
import { forecast, looked, said, thought, usage } from '../messages/sdk/feature-vendor.ts'
import { startFeatureNode } from '../messages/sdk/feature-node.ts'
import { modelOf, styleNames } from '../vendors/scripted/styled-vendor.ts'
import { newKey } from './kept-node.ts'
import { suiteStart, suiteWorld } from '../../nodes/suite.ts'

/** Features of the AI SDK with its OpenAI provider, which speaks Responses, with a vendor of each style. */

const world = await suiteWorld(startFeatureNode())

describe.each(styleNames)('with a vendor of the style %s', (style) => {
  // DeepSeek gets a schema as an instruction only, so it may not be strict.
  const headers: Record<string, string> = style === 'deepseek' ? { 'x-turnpike-unsupported': 'drop' } : {}
  const model = () =>
    createOpenAI({ baseURL: world.node.baseUrl, apiKey: world.key.raw, headers })(modelOf(style))
  const options = { maxOutputTokens: 4_000, maxRetries: 0 }
  const counted = { outputTokens: usage.output + usage.reasoning, inputTokens: usage.input + usage.cached }

  test('gets text, plain and streamed', async () => {
    const prompt = '[[text]] Hello'
    const plain = await generateText({ model: model(), prompt, ...options })
    expect(plain).toMatchObject({ text: said, finishReason: 'stop', usage: counted })
    const streamed = streamText({ model: model(), prompt, ...options })
    let text = ''
    for await (const piece of streamed.textStream) text += piece
    expect([text, await streamed.finishReason]).toEqual([said, 'stop'])
    expect(await streamed.usage).toMatchObject(counted)
  })

  test.each(['plain', 'streamed'])('runs its tools, and shows summaries of reasoning, %s', async (way) => {
    const asked: string[] = []
    const weather = tool({
      description: 'Tells the weather.',
      inputSchema: zod.object({ city: zod.string() }),
      async execute({ city }) {
        asked.push(city)
        return '7 °C'
      },
    })
    const openai = {
      reasoningSummary: 'auto',
      reasoningEffort: 'low',
      forceReasoning: true,
      store: false,
      include: ['reasoning.encrypted_content'],
    }
    const request = {
      model: model(),
      prompt: `[[thinking ai ${way}]] How is the weather?`,
      tools: { get_weather: weather },
      stopWhen: stepCountIs(2),
      providerOptions: { openai },
      ...options,
    }
    const steps = way === 'plain' ? (await generateText(request)).steps : await streamText(request).steps
    const [first, second] = steps
    expect([asked, first!.reasoningText, second!.text]).toEqual([['Zürich'], thought.text, looked])
    const [, again] = world.asked(style, `[[thinking ai ${way}]]`)
    expect(JSON.stringify(again)).toContain('7 °C')
    if (['anthropic', 'google', 'openai-responses'].includes(style))
      expect(JSON.stringify(again)).toContain(thought.signature)
    if (style === 'deepseek' || style === 'mistral')
      expect(JSON.stringify(again)).toContain(JSON.stringify(thought.text))
  })

  test('gets an object by schema', async () => {
    const schema = zod.object({ city: zod.string(), days: zod.number() })
    const prompt = '[[json]] A forecast'
    const { object } = await generateObject({ model: model(), prompt, schema, ...options })
    expect(object).toEqual(forecast)
    const { output } = streamText({ model: model(), prompt, output: Output.object({ schema }), ...options })
    expect(await output).toEqual(forecast)
  })

  test('reports an answer that reaches its limit, and one that fails', async () => {
    const long = await generateText({ model: model(), prompt: '[[long]] Hello', ...options })
    expect([long.text, long.finishReason]).toEqual([said, 'length'])
    const failing = generateText({ model: model(), prompt: '[[failing]] Hello', ...options })
    await expect(failing).rejects.toMatchObject({ name: 'AI_APICallError', isRetryable: true })
    const errors: unknown[] = []
    const cut = streamText({
      model: model(),
      prompt: '[[cut]] Hello',
      onError: ({ error }) => void errors.push(error),
      ...options,
    })
    await cut.consumeStream()
    expect([errors.length, await cut.finishReason]).toEqual([1, 'error'])
  })
})

test('gets advice to send items instead of referring to them, if none are kept', async () => {
  const answered = generateText({
    model: createOpenAI({ baseURL: world.node.baseUrl, apiKey: world.key.raw })(modelOf('openai')),
    prompt: '[[thinking kept]] How is the weather?',
    tools: { get_weather: tool({ inputSchema: zod.object({ city: zod.string() }), execute: () => '7 °C' }) },
    stopWhen: stepCountIs(2),
    maxRetries: 0,
  })
  await expect(answered).rejects.toMatchObject({
    statusCode: 400,
    message: expect.stringMatching(/^input\[\d+\]\.id: .*store: false.*responses\.store_days/) as string,
  })
})

describe('if answers are kept, as by default', () => {
  const responses = { store_days: 1, encryption_keys: [newKey()] }
  const keeping = suiteStart(() => startFeatureNode({ responses }))

  test.each(styleNames.flatMap((style) => [[style, 'plain'] as const, [style, 'streamed'] as const]))(
    'it refers to items of three turns with a vendor of the style %s, %s',
    async (style, way) => {
      const model = createOpenAI({ baseURL: keeping.node.baseUrl, apiKey: keeping.key.raw })(modelOf(style))
      const weather = tool({ inputSchema: zod.object({ city: zod.string() }), execute: () => '7 °C' })
      const openai = { reasoningSummary: 'auto', reasoningEffort: 'low', forceReasoning: true }
      const messages: ModelMessage[] = []
      const ask = async (content: string): Promise<string> => {
        messages.push({ role: 'user', content })
        const request = {
          model,
          messages,
          tools: { get_weather: weather },
          stopWhen: stepCountIs(3),
          maxOutputTokens: 4_000,
          maxRetries: 0,
          providerOptions: { openai },
        }
        const answered = way === 'plain' ? await generateText(request) : streamText(request)
        const { messages: said } = await answered.response
        messages.push(...said)
        return await answered.text
      }
      const marker = `[[thinking kept ${way}]]`
      expect(await ask(`${marker} How is the weather?`)).toBe(looked)
      expect(await ask('And tomorrow?')).toBe(looked)
      const sent = JSON.stringify(keeping.asked(style, marker).at(-1))
      for (const text of ['7 °C', 'I look.', looked, 'And tomorrow?']) expect(sent).toContain(text)
      if (['anthropic', 'google', 'openai-responses'].includes(style))
        expect(sent).toContain(thought.signature)
      expect(sent).not.toContain('item_reference')
    },
  )
})
