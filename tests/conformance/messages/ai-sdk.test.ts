import { createAnthropic } from '@ai-sdk/anthropic'
import { generateText, Output, stepCountIs, streamText, tool } from 'ai'
import { describe, expect, test } from 'vitest'
import * as zod from 'zod'
import { modelOf, styleNames } from '../vendors/scripted/styled-vendor.ts'
import { forecast, looked, said, thought, usage } from './sdk/feature-vendor.ts'
import { startFeatureNode } from './sdk/feature-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/** Features of the AI SDK with its Anthropic provider, each with a vendor of each style. */

const world = await suiteWorld(startFeatureNode())

describe.each(styleNames)('the AI SDK, with a vendor of the style %s', (style) => {
  const model = () =>
    createAnthropic({ baseURL: `${world.node.origin}/v1`, apiKey: world.key.raw })(modelOf(style))
  const options = { maxOutputTokens: 4_000, maxRetries: 0 }

  test('gets text, plain and streamed', async () => {
    const prompt = '[[text]] Hello'
    const plain = await generateText({ model: model(), prompt, ...options })
    expect(plain).toMatchObject({ text: said, finishReason: 'stop' })
    const streamed = streamText({ model: model(), prompt, ...options })
    let text = ''
    for await (const piece of streamed.textStream) text += piece
    expect(text).toBe(said)
    expect(await streamed.finishReason).toBe('stop')
    const counted = { outputTokens: usage.output + usage.reasoning, inputTokens: usage.input + usage.cached }
    expect(await streamed.usage).toMatchObject(counted)
    expect(plain.usage).toMatchObject(counted)
  })

  test.each(['tool', 'thinking'])('runs its tools, with %s', async (feature) => {
    const asked: string[] = []
    const weather = tool({
      description: 'Tells the weather.',
      inputSchema: zod.object({ city: zod.string() }),
      async execute({ city }) {
        asked.push(city)
        return '7 °C'
      },
    })
    const result = streamText({
      model: model(),
      prompt: `[[${feature} ai]] How is the weather?`,
      tools: { get_weather: weather },
      stopWhen: stepCountIs(2),
      ...options,
      ...(feature === 'thinking'
        ? { providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2_000 } } } }
        : {}),
    })
    const [first, second] = await result.steps
    expect(asked).toEqual(['Zürich'])
    expect(first!.reasoningText ?? '').toBe(feature === 'thinking' ? thought.text : '')
    expect(second!.text).toBe(looked)
    const bodies = world.asked(style, `[[${feature} ai]]`)
    expect(bodies).toHaveLength(2)
    expect(JSON.stringify(bodies[1])).toContain('7 °C')
    if (feature === 'thinking' && (style === 'anthropic' || style === 'google'))
      expect(JSON.stringify(bodies[1])).toContain(thought.signature)
  })

  test('gets an object by schema', async () => {
    const output = Output.object({ schema: zod.object({ city: zod.string(), days: zod.number() }) })
    // For models that it does not know, it uses a tool instead.
    const answered = await generateText({ model: model(), prompt: '[[json]] A forecast', output, ...options })
    expect(answered.output).toEqual(forecast)
  })
})
