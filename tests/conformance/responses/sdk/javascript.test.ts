import { openaiSchemas } from '@turnpike/simulators/openai-schema'
import OpenAI from 'openai'
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod'
import { describe, expect, test } from 'vitest'
import * as zod from 'zod'
import { called, forecast, looked, noted, said, thought } from '../../messages/sdk/feature-vendor.ts'
import { startFeatureNode } from '../../messages/sdk/feature-node.ts'
import { sdk } from '../../sdk-node.ts'
import { modelOf, styleNames } from '../../vendors/scripted/styled-vendor.ts'
import { costUsd } from '../../vendors/vendor-node.ts'
import { suiteWorld } from '../../../nodes/suite.ts'

/** Features of `client.responses` of the `openai` package, each with a vendor of each style. */

type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming
type Answer = OpenAI.Responses.Response

const schemas = openaiSchemas()

const world = await suiteWorld(startFeatureNode())
const client = sdk(world.node, world.key.raw)

const counted = { prompt: 112, completion: 65, cached: 100, cacheWritten: 0, written1h: 0, reasoning: 25 }
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n').toString('base64')
const weather: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'get_weather',
  description: 'Tells the weather.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  strict: true,
}

describe.each(styleNames)('with a vendor of the style %s', (style) => {
  const model = modelOf(style)
  const bodyOf = (feature: string, more: Partial<Body> = {}): Body => ({
    model,
    input: `[[${feature}]] Hello`,
    ...more,
  })
  /** Sends the request plain, by the stream helper, and as raw events that the test assembles. */
  const ways: [string, (body: Body) => Promise<Answer>][] = [
    ['plain', (body) => client.responses.create(body)],
    ['streamed', async (body) => client.responses.stream({ ...body, stream: true }).finalResponse()],
  ]

  /** The events of a stream, each validated by OpenAI's schema. */
  async function eventsOf(body: Body): Promise<OpenAI.Responses.ResponseStreamEvent[]> {
    const events: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of await client.responses.create({ ...body, stream: true })) events.push(event)
    expect(events.map(({ sequence_number: at }) => at)).toEqual([...events.keys()])
    for (const event of events)
      expect(schemas?.faultsOfResponseEvent(event) ?? [], JSON.stringify(event)).toEqual([])
    return events
  }

  test('gives a plain answer, with its provider and cost', async () => {
    const body = bodyOf('text', { instructions: 'Be brief.', metadata: { purpose: 'test' } })
    const { data, request_id: requestId } = await client.responses.create(body).withResponse()
    expect(data).toMatchObject({
      id: expect.stringMatching(/^resp_/u) as string,
      object: 'response',
      model,
      status: 'completed',
      output_text: said,
      output: [{ type: 'message', role: 'assistant', status: 'completed' }],
      instructions: 'Be brief.',
      metadata: { purpose: 'test' },
      store: false,
      error: null,
      incomplete_details: null,
      usage: {
        input_tokens: counted.prompt,
        input_tokens_details: { cached_tokens: counted.cached },
        output_tokens: counted.completion,
        total_tokens: counted.prompt + counted.completion,
        cost_usd: costUsd(counted),
      },
    })
    expect(requestId).toMatch(/^req_/u)
    const whole: unknown = await (await client.responses.create(body).asResponse()).json()
    expect(schemas?.faultsOfResponse(whole) ?? []).toEqual([])
  })

  test('sends the events of a text in their order', async () => {
    const events = await eventsOf(bodyOf('text'))
    const types = events.map(({ type }) => type.replace('response.', ''))
    const [first, last] = [types.indexOf('output_text.delta'), types.lastIndexOf('output_text.delta')]
    expect([...types.slice(0, first), ...types.slice(last)]).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ])
    expect(new Set(types.slice(first, last))).toEqual(new Set(['output_text.delta']))
  })

  test.each(['thinking', 'custom', 'refused', 'long', 'two'])('sends the events of %s', async (feature) => {
    const tools: Body['tools'] = [weather, { type: 'custom', name: noted.name }]
    const events = await eventsOf(bodyOf(`${feature} events`, { tools }))
    const done = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []))
    const last = events.at(-1)!
    if (!('response' in last)) throw new Error(`${last.type} was told last`)
    expect(last.response.output).toEqual(done)
  })

  test('streams by the helper: events, snapshots, and the accumulated response', async () => {
    const stream = client.responses.stream({ ...bodyOf('text'), stream: true })
    let text = ''
    stream.on('response.output_text.delta', ({ delta, snapshot }) => {
      text += delta
      expect(snapshot).toBe(text)
    })
    const final = await stream.finalResponse()
    expect([text, final.output_text]).toEqual([said, said])
    expect(final.usage).toMatchObject({ output_tokens: counted.completion, cost_usd: costUsd(counted) })
  })

  test('gives structured output that the SDK parses', async () => {
    const format = zodTextFormat(zod.object({ city: zod.string(), days: zod.number() }), 'forecast')
    const body = { ...bodyOf('json'), text: { format } }
    if (style === 'deepseek')
      // DeepSeek gets the schema as an instruction only, so it may not be strict.
      await expect(client.responses.parse(body)).rejects.toMatchObject({ param: 'text.format.strict' })
    const options = style === 'deepseek' ? { headers: { 'x-turnpike-unsupported': 'drop' } } : {}
    const parsed = await client.responses.parse(body, options)
    expect(parsed.output_parsed).toEqual(forecast)
    const streamed = client.responses.stream({ ...body, stream: true }, options)
    expect((await streamed.finalResponse()).output_parsed).toEqual(forecast)
    // As the request's schema, or as an instruction.
    expect(JSON.stringify(world.asked(style, '[[json]]').at(-1))).toMatch(/"days\\?"/u)
  })

  test('gives arguments of a function that the SDK parses', async () => {
    const parameters = zod.object({ city: zod.string() })
    const tools = [zodResponsesFunction({ name: 'get_weather', parameters })]
    const { output } = await client.responses.parse({ ...bodyOf('tool parsed'), tools })
    expect(output.at(-1)).toMatchObject({ type: 'function_call', parsed_arguments: called.arguments })
  })

  test.each(ways)('runs a tool over turns, and gets its reasoning back unchanged, %s', async (way, ask) => {
    const input: OpenAI.Responses.ResponseInput = [
      { role: 'user', content: `[[thinking ${way}]] How is the weather?` },
    ]
    const options: Partial<Body> = {
      tools: [weather],
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low', summary: 'auto' },
    }
    const first = await ask(bodyOf('', { input, ...options }))
    expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call'])
    const [reasoning, , call] = first.output
    if (reasoning?.type !== 'reasoning' || call?.type !== 'function_call')
      throw new Error('not what was said')
    const texts = [...reasoning.summary, ...(reasoning.content ?? [])]
    expect(texts.map(({ text }) => text).join('')).toBe(thought.text)
    expect([call.name, JSON.parse(call.arguments)]).toEqual([called.name, called.arguments])
    input.push(...(first.output as OpenAI.Responses.ResponseInputItem[]))
    input.push({ type: 'function_call_output', call_id: call.call_id, output: '7 °C' })
    const second = await ask(bodyOf('', { input, ...options }))
    expect(second.output_text).toBe(looked)
    const sent = JSON.stringify(world.asked(style, `[[thinking ${way}]]`)[1])
    expect(sent).toContain('7 °C')
    expect(sent).not.toContain('turnpike.')
    if (['anthropic', 'google', 'openai-responses'].includes(style)) expect(sent).toContain(thought.signature)
    if (style === 'deepseek' || style === 'mistral') expect(sent).toContain(JSON.stringify(thought.text))
  })

  test.each(ways)('runs a custom tool over several turns, %s', async (way, ask) => {
    const input: OpenAI.Responses.ResponseInput = [
      { role: 'user', content: `[[custom ${way}]] Write it down.` },
    ]
    const tools: Body['tools'] = [{ type: 'custom', name: noted.name, description: 'Writes down a text.' }]
    const first = await ask(bodyOf('', { input, tools }))
    const [call] = first.output
    if (call?.type !== 'custom_tool_call') throw new Error('not what was said')
    expect([call.name, call.input]).toEqual([noted.name, noted.arguments.input])
    input.push(call, { type: 'custom_tool_call_output', call_id: call.call_id, output: 'written' })
    const second = await ask(bodyOf('', { input, tools }))
    expect(second.output_text).toBe(looked)
    expect(JSON.stringify(world.asked(style, `[[custom ${way}]]`)[1])).toContain('written')
  })

  test('calls two tools at once', async () => {
    const { output } = await client.responses.create(bodyOf('two', { tools: [weather] }))
    expect(output).toMatchObject([
      { type: 'function_call', arguments: '{"city":"Zürich"}' },
      { type: 'function_call', arguments: '{"city":"Bern"}' },
    ])
  })

  test('accepts a picture', async () => {
    const content: OpenAI.Responses.ResponseInputMessageContentList = [
      { type: 'input_image', image_url: `data:image/png;base64,${picture}`, detail: 'auto' },
      { type: 'input_text', text: '[[text picture]] What is this?' },
    ]
    const answer = await client.responses.create(bodyOf('', { input: [{ role: 'user', content }] }))
    expect(answer.output_text).toBe(said)
    expect(JSON.stringify(world.asked(style, '[[text picture]]'))).toContain(picture)
  })

  test('accepts a PDF', async () => {
    const content: OpenAI.Responses.ResponseInputMessageContentList = [
      { type: 'input_file', filename: 'page.pdf', file_data: `data:application/pdf;base64,${pdf}` },
      { type: 'input_text', text: '[[text document]] What is this?' },
    ]
    const answered = client.responses.create(bodyOf('', { input: [{ role: 'user', content }] }))
    if (style === 'deepseek' || style === 'cohere')
      return expect(answered).rejects.toMatchObject({ status: 400, param: 'input[0].content[0]' })
    expect((await answered).output_text).toBe(said)
    expect(JSON.stringify(world.asked(style, '[[text document]]'))).toContain(pdf)
  })

  test.each(ways)('reports an answer that reaches its limit as incomplete, %s', async (_way, ask) => {
    const answer = await ask(bodyOf('long', { max_output_tokens: 65, truncation: 'disabled' }))
    expect(answer).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
      output_text: said,
      max_output_tokens: 65,
      truncation: 'disabled',
    })
  })

  test.each(ways)('reports a refusal, %s', async (_way, ask) => {
    const answer = await ask(bodyOf('refused'))
    if (style === 'openai' || style === 'openai-responses')
      return expect(answer).toMatchObject({
        status: 'completed',
        output: [{ content: [{ type: 'refusal', refusal: said }] }],
      })
    expect(answer).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
    })
  })

  test('counts tokens', async () => {
    const count = await client.responses.inputTokens.count({ model, input: 'Hello', tools: [weather] })
    expect(count.object).toBe('response.input_tokens')
    expect(count.input_tokens).toBeGreaterThan(5)
  })
})
