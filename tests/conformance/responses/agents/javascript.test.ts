import {
  Agent,
  InputGuardrailTripwireTriggered,
  MemorySession,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
  tool,
  type FunctionTool,
} from '@openai/agents'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as zod from 'zod'
import { forecast, looked, said, thought } from '../../messages/sdk/feature-vendor.ts'
import { startFeatureNode, type FeatureNode } from '../../messages/sdk/feature-node.ts'
import { modelOf, styleNames } from '../../vendors/scripted/styled-vendor.ts'

/** OpenAI's Agents SDK, on both APIs that it speaks, with a vendor of each style. */

let world: FeatureNode

beforeAll(async () => {
  setTracingDisabled(true)
  world = await startFeatureNode()
})

afterAll(() => world.stop())

const kinds = { Responses: OpenAIResponsesModel, 'chat completions': OpenAIChatCompletionsModel }
const pairs = styleNames.flatMap((style) =>
  Object.entries(kinds).map(([api, Model]) => [style, api, Model] as const),
)

describe.each(pairs)('with a vendor of the style %s, on %s', (style, api, Model) => {
  const prompt = (feature: string): string => `[[${feature} ${api}]] How is the weather?`

  /** DeepSeek gets a schema as an instruction only, so it may not be strict. */
  function model(): InstanceType<typeof Model> {
    const defaultHeaders = style === 'deepseek' ? { 'x-turnpike-unsupported': 'drop' } : {}
    const options = { apiKey: world.key.raw, baseURL: world.node.baseUrl, maxRetries: 0, defaultHeaders }
    return new Model(new OpenAI(options), modelOf(style))
  }

  function weather(ran: string[]): FunctionTool<unknown, never> {
    return tool({
      name: 'get_weather',
      description: 'Tells the weather.',
      parameters: zod.object({ city: zod.string() }),
      execute({ city }) {
        ran.push(city)
        return `7 °C in ${city}`
      },
    })
  }

  test('gives a plain answer', async () => {
    const agent = new Agent({ name: 'Assistant', instructions: 'Be brief.', model: model() })
    const result = await run(agent, prompt('text'))
    expect(result.finalOutput).toBe(said)
    expect(result.state.usage).toMatchObject({ inputTokens: 112, outputTokens: 65 })
  })

  test.each(['tool', 'two', 'thinking'])('runs tools: %s', async (feature) => {
    const ran: string[] = []
    const modelSettings = { store: false, parallelToolCalls: true }
    const agent = new Agent({ name: 'Assistant', model: model(), tools: [weather(ran)], modelSettings })
    const result = await run(agent, prompt(feature))
    expect(result.finalOutput).toBe(looked)
    expect(ran).toEqual(feature === 'two' ? ['Zürich', 'Bern'] : ['Zürich'])
  })

  test('streams, with a tool and with reasoning', async () => {
    const ran: string[] = []
    const modelSettings = {
      store: false,
      reasoning: { effort: 'low', summary: 'auto' } as const,
      ...(api === 'Responses' ? { providerData: { include: ['reasoning.encrypted_content'] } } : {}),
    }
    const agent = new Agent({ name: 'Assistant', model: model(), tools: [weather(ran)], modelSettings })
    const result = await run(agent, prompt('thinking streamed'), { stream: true })
    const items: string[] = []
    let text = ''
    for await (const event of result) {
      if (event.type === 'run_item_stream_event') items.push(event.name)
      if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta')
        text += event.data.delta
    }
    await result.completed
    expect([text, result.finalOutput, ran]).toEqual([`I look.${looked}`, looked, ['Zürich']])
    expect(items).toEqual(expect.arrayContaining(['tool_called', 'tool_output', 'message_output_created']))
    const [, again] = world.asked(style, `[[thinking streamed ${api}]]`)
    const signs = style === 'anthropic' || style === 'google' || style === 'openai-responses'
    if (api === 'Responses') {
      expect(items).toContain('reasoning_item_created')
      expect(JSON.stringify(again)).toContain(signs ? thought.signature : '7 °C')
    }
  })

  test.each([false, true])('hands off to another agent, stream: %s', async (stream) => {
    const ran: string[] = []
    const colleague = new Agent({ name: 'weather agent', model: model(), tools: [weather(ran)] })
    const agent = Agent.create({ name: 'Assistant', model: model(), handoffs: [colleague] })
    const input = prompt(`handoff ${stream}`)
    if (stream) {
      const result = await run(agent, input, { stream })
      await result.completed
      expect([result.finalOutput, result.lastAgent?.name]).toEqual([looked, 'weather agent'])
    } else {
      const result = await run(agent, input)
      expect([result.finalOutput, result.lastAgent?.name]).toEqual([looked, 'weather agent'])
    }
    expect(ran).toEqual(['Zürich'])
  })

  const outputType = zod.object({ city: zod.string(), days: zod.number() })

  test('gives an output by schema, plain and streamed', async () => {
    const agent = new Agent({ name: 'Assistant', model: model(), outputType })
    expect((await run(agent, prompt('json'))).finalOutput).toEqual(forecast)
    const streamed = await run(agent, prompt('json'), { stream: true })
    await streamed.completed
    expect(streamed.finalOutput).toEqual(forecast)
  })

  test('runs a guardrail that calls a model', async () => {
    const checking = new Agent({ name: 'Checking', model: model(), outputType })
    const guardrail = {
      name: 'no forecasts',
      async execute() {
        const { finalOutput } = await run(checking, prompt('json'))
        return { outputInfo: finalOutput, tripwireTriggered: finalOutput?.days === forecast.days }
      },
    }
    const agent = new Agent({ name: 'Assistant', model: model(), inputGuardrails: [guardrail] })
    await expect(run(agent, prompt('text'))).rejects.toBeInstanceOf(InputGuardrailTripwireTriggered)
  })

  test('continues a session', async () => {
    const session = new MemorySession()
    const agent = new Agent({ name: 'Assistant', model: model(), tools: [weather([])] })
    expect((await run(agent, prompt('thinking session'), { session })).finalOutput).toBe(looked)
    expect((await run(agent, 'And tomorrow?', { session })).finalOutput).toBe(looked)
    const last = JSON.stringify(world.asked(style, `[[thinking session ${api}]]`).at(-1))
    for (const expected of ['7 °C in Zürich', looked, 'And tomorrow?']) expect(last).toContain(expected)
  })
})
