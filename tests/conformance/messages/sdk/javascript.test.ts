import Anthropic from '@anthropic-ai/sdk'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import { describe, expect, test } from 'vitest'
import * as zod from 'zod'
import { list, object, type Json } from '../../vendors/oracle/json.ts'
import { modelOf, styleNames, type StyleName } from '../../vendors/scripted/styled-vendor.ts'
import { costUsd } from '../../vendors/vendor-node.ts'
import { called, counted, forecast, looked, said, thought, usage, written } from './feature-vendor.ts'
import { startFeatureNode } from './feature-node.ts'
import { suiteWorld } from '../../../nodes/suite.ts'

/** Features of `@anthropic-ai/sdk`, each with a vendor of each style. */

type Body = Anthropic.MessageCreateParamsNonStreaming

const world = await suiteWorld(startFeatureNode())

const say = (content: Anthropic.MessageParam['content']): Anthropic.MessageParam[] => [
  { role: 'user', content },
]
const schema = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const tools = [{ name: 'get_weather', description: 'Tells the weather.', input_schema: schema }]
const toldUsage = {
  input_tokens: usage.input,
  cache_read_input_tokens: usage.cached,
  output_tokens: usage.output + usage.reasoning,
}
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n').toString('base64')

/** Checks the vendor's second request: how a turn with reasoning and a tool call is sent back to it. */
const returned: Record<StyleName, (body: Json) => void> = {
  anthropic: ({ messages }) =>
    expect(list(list(messages)[1]!['content'])).toMatchObject([
      { type: 'thinking', thinking: thought.text, signature: thought.signature },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: called.id, name: called.name, input: called.arguments },
    ]),
  openai: ({ messages }) => {
    expect(list(messages)[1]).toMatchObject({
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: called.id }],
    })
    expect(list(messages)[2]).toMatchObject({ role: 'tool', tool_call_id: called.id })
  },
  'openai-responses': ({ input }) =>
    expect(list(input).slice(1)).toMatchObject([
      { type: 'reasoning', encrypted_content: thought.signature },
      { type: 'message', role: 'assistant' },
      { type: 'function_call', call_id: called.id, name: called.name },
      { type: 'function_call_output', call_id: called.id },
    ]),
  google: ({ contents }) => {
    const parts = list(list(contents)[1]!['parts'])
    expect(parts.at(-1)).toMatchObject({
      functionCall: { name: called.name, args: called.arguments },
      thoughtSignature: thought.signature,
    })
  },
  deepseek: ({ messages }) =>
    expect(list(messages)[1]).toMatchObject({
      reasoning_content: thought.text,
      tool_calls: [{ id: called.id }],
    }),
  mistral: ({ messages }) =>
    expect(list(list(messages)[1]!['content'])[0]).toMatchObject({
      type: 'thinking',
      thinking: [{ type: 'text', text: thought.text }],
    }),
  cohere: ({ messages }) =>
    expect(list(messages)[1]).toMatchObject({
      content: [
        { type: 'thinking', thinking: thought.text },
        { type: 'text', text: 'I look.' },
      ],
      tool_calls: [{ id: called.id }],
    }),
}

describe.each(styleNames)("the SDK's features, with a vendor of the style %s", (style) => {
  const model = modelOf(style)
  const bodyOf = (feature: string, more: Partial<Body> = {}): Body => ({
    model,
    max_tokens: 4_000,
    messages: say(`[[${feature}]] Hello`),
    ...more,
  })
  /** Sends the request plain, and by the stream helper. */
  const ways: [string, (body: Body) => Promise<Anthropic.Message>][] = [
    ['plain', (body) => world.client.messages.create(body)],
    ['streamed', (body) => world.client.messages.stream(body).finalMessage()],
  ]

  test('gives a plain answer, with its provider and cost', async () => {
    const { data, request_id: requestId } = await world.client.messages.create(bodyOf('text')).withResponse()
    expect(data).toMatchObject({
      type: 'message',
      role: 'assistant',
      model,
      stop_reason: 'end_turn',
      stop_sequence: null,
    })
    expect(data.id).toMatch(/^msg_/u)
    expect(data.content).toEqual([{ type: 'text', text: said }])
    expect(data.usage).toMatchObject(toldUsage)
    expect(requestId).toMatch(/^req_/u)
    const cost = costUsd({
      prompt: 112,
      completion: 65,
      cached: 100,
      cacheWritten: 0,
      written1h: 0,
      reasoning: 25,
    })
    expect(data.usage).toMatchObject({ cost_usd: cost, cost: Number(cost) })
  })

  test('streams by the helper: events, text, and the accumulated message', async () => {
    const stream = world.client.messages.stream(bodyOf('text'))
    const pieces: string[] = []
    const events: string[] = []
    stream.on('text', (piece, snapshot) => {
      pieces.push(piece)
      expect(snapshot).toBe(pieces.join(''))
    })
    for await (const event of stream) events.push(event.type)
    const message = await stream.finalMessage()
    expect(pieces.length).toBeGreaterThan(0)
    expect(pieces.join('')).toBe(said)
    expect(await stream.finalText()).toBe(said)
    expect(events.filter((type) => type !== 'content_block_delta')).toEqual([
      'message_start',
      'content_block_start',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(message).toMatchObject({ model, stop_reason: 'end_turn', usage: toldUsage })
    const plain = await world.client.messages.create(bodyOf('text'))
    expect(message.content).toEqual(plain.content)
  })

  test('streams raw events', async () => {
    const stream = await world.client.messages.create({ ...bodyOf('text'), stream: true })
    let streamedText = ''
    for await (const event of stream)
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
        streamedText += event.delta.text
    expect(streamedText).toBe(said)
  })

  test.each([
    ['plain', false],
    ['streamed', true],
  ])('runs tools by the tools runner, %s', async (_way, stream) => {
    const ran: string[] = []
    const weather = betaZodTool({
      name: 'get_weather',
      description: 'Tells the weather.',
      inputSchema: zod.object({ city: zod.string() }),
      run({ city }) {
        ran.push(city)
        return `7 °C in ${city}`
      },
    })
    const messages = say(`[[two ${stream}]] How is the weather?`)
    const runner = world.client.beta.messages.toolRunner({
      model,
      max_tokens: 500,
      messages,
      tools: [weather],
      stream,
    })
    const final = await runner.runUntilDone()
    expect(ran).toEqual(['Zürich', 'Bern'])
    expect(final.content).toMatchObject([{ type: 'text', text: looked }])
    const bodies = world.asked(style, `[[two ${stream}]]`)
    expect(bodies).toHaveLength(2)
    for (const city of ran) expect(JSON.stringify(bodies[1])).toContain(`7 °C in ${city}`)
  })

  test.each(ways)('gets back the signature of its reasoning in the next turn, %s', async (way, ask) => {
    const messages = say(`[[thinking ${way}]] How is the weather?`)
    const thinking = { type: 'enabled' as const, budget_tokens: 2_000 }
    const first = await ask(bodyOf('', { messages, tools, thinking }))
    expect(first.stop_reason).toBe('tool_use')
    expect(first.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use'])
    expect(first.content[0]).toMatchObject({ type: 'thinking', thinking: thought.text })
    const [call] = first.content.filter((block) => block.type === 'tool_use')
    expect(call).toMatchObject({ name: called.name, input: called.arguments })
    const result = { type: 'tool_result' as const, tool_use_id: call!.id, content: '7 °C' }
    const second = await ask(
      bodyOf('', {
        messages: [
          ...messages,
          { role: 'assistant', content: first.content },
          { role: 'user', content: [result] },
        ],
        tools,
        thinking,
      }),
    )
    expect(second.content).toEqual([{ type: 'text', text: looked }])
    const [, sent] = world.asked(style, `[[thinking ${way}]]`)
    returned[style](sent!)
  })

  test.each(ways)('reports prompt caching by lifetime, %s', async (_way, ask) => {
    const lasting = { cache_control: { type: 'ephemeral' as const, ttl: '1h' as const } }
    const system = [{ type: 'text' as const, text: 'A long text. '.repeat(500), ...lasting }]
    const message = await ask(bodyOf('cache', { system }))
    expect(message.usage).toMatchObject(toldUsage)
    if (style !== 'anthropic') return
    expect(message.usage).toMatchObject({
      cache_creation_input_tokens: written.fiveMinutes + written.oneHour,
      cache_creation: {
        ephemeral_5m_input_tokens: written.fiveMinutes,
        ephemeral_1h_input_tokens: written.oneHour,
      },
    })
    expect(list(world.asked(style, '[[cache]]').at(-1)!['system'])[0]).toMatchObject(lasting)
  })

  test('accepts a picture', async () => {
    const source = { type: 'base64' as const, media_type: 'image/png' as const, data: picture }
    const content = [
      { type: 'image' as const, source },
      { type: 'text' as const, text: '[[text picture]] What is this?' },
    ]
    const message = await world.client.messages.create(bodyOf('', { messages: say(content) }))
    expect(message.content).toEqual([{ type: 'text', text: said }])
    expect(JSON.stringify(world.asked(style, '[[text picture]]'))).toContain(picture)
  })

  test('accepts a PDF', async () => {
    const source = { type: 'base64' as const, media_type: 'application/pdf' as const, data: pdf }
    const content = [
      { type: 'document' as const, source, title: 'page.pdf' },
      { type: 'text' as const, text: '[[text document]] What is this?' },
    ]
    const answered = world.client.messages.create(bodyOf('', { messages: say(content) }))
    if (style === 'deepseek' || style === 'cohere') {
      const refused = { status: 400, type: 'invalid_request_error' }
      return expect(answered).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining('messages.0.content.0'),
      })
    }
    expect((await answered).content).toEqual([{ type: 'text', text: said }])
    expect(JSON.stringify(world.asked(style, '[[text document]]'))).toContain(pdf)
  })

  test('gives structured output that the SDK parses', async () => {
    const format = zodOutputFormat(zod.object({ city: zod.string(), days: zod.number() }))
    const body = bodyOf('json', { output_config: { format } })
    const parsed = await world.client.messages.parse({ ...body, output_config: { format } })
    expect(parsed.parsed_output).toEqual(forecast)
    const streamed = await world.client.messages.stream({ ...body, output_config: { format } }).finalMessage()
    expect(streamed.parsed_output).toEqual(forecast)
    // As the request's schema, or as an instruction.
    expect(JSON.stringify(world.asked(style, '[[json]]').at(-1))).toMatch(/"days\\?"/u)
  })

  test('counts tokens', async () => {
    const count = await world.client.messages.countTokens({ model, messages: say('Hello'), tools })
    if (style === 'anthropic') expect(count).toEqual({ input_tokens: counted })
    else expect(count.input_tokens).toBeGreaterThan(5)
    const beta = await world.client.beta.messages.countTokens({ model, messages: say('Hello') })
    expect(beta.input_tokens).toBeGreaterThan(0)
  })
})

test('lists the models page by page', async () => {
  const names: string[] = []
  for await (const model of world.client.models.list({ limit: 2 })) {
    expect(model).toMatchObject({ type: 'model', display_name: expect.any(String) as string })
    expect(new Date(model.created_at).getTime()).not.toBeNaN()
    names.push(model.id)
  }
  expect(names).toEqual(expect.arrayContaining(styleNames.map(modelOf)))
  expect(new Set(names).size).toBe(names.length)
  const one = await world.client.models.retrieve(modelOf('openai'))
  expect(one).toMatchObject({ type: 'model', id: modelOf('openai') })
  expect(object(one)['id']).toBe(modelOf('openai'))
})
