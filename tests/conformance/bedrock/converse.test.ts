import { GoogleGenAI } from '@google/genai'
import { converseFrame, errorFrame, exceptionFrame } from '@turnpike/simulators/clouds/frames'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { bearerKey, claude, nova, startBedrockNode, streamed, told } from './bedrock-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/** Callers of every format, with models that Bedrock serves by Converse. */

const messages = [{ role: 'user' as const, content: 'Hello' }]
const usage = { inputTokens: 100, outputTokens: 50, totalTokens: 1_150, cacheReadInputTokens: 1_000 }
const answer = {
  metrics: { latencyMs: 640 },
  output: { message: { role: 'assistant', content: [{ text: 'Grüezi 🌍' }] } },
  stopReason: 'end_turn',
  usage,
}
/** 100 × 0.06 + 1,000 × 0.015 + 50 × 0.24 millionths of a dollar. */
const costUsd = '0.000033'
const path = '/model/us.amazon.nova-lite-v1%3A0/converse'
const head = [
  converseFrame('messageStart', { role: 'assistant' }),
  ...['Grü', 'ezi ', '🌍'].map((text) =>
    converseFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text } }),
  ),
  converseFrame('contentBlockStop', { contentBlockIndex: 0 }),
]
const stop = converseFrame('messageStop', { stopReason: 'end_turn' })
const metadata = converseFrame('metadata', { usage, metrics: { latencyMs: 640 } })
const frames = [...head, stop, metadata]
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const world = await suiteWorld(
  startBedrockNode((bedrock) => ({
    providers: {
      east: { vendor: 'bedrock', ...bedrock },
      west: { vendor: 'bedrock', ...bedrock, guardrail: { id: 'gr-1', version: '3' } },
    },
    models: {
      'clouds/nova': {
        upstreams: [
          { provider: 'east', model: 'us.amazon.nova-lite-v1:0' },
          { provider: 'west', model: 'us.amazon.nova-lite-v1:0' },
        ],
        pricing: { prompt: '0.00000006', completion: '0.00000024' },
        max_output_tokens: 10_000,
      },
      'bedrock/claude-by-converse': {
        upstreams: [
          {
            provider: 'bedrock',
            model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
            formats: ['bedrock-converse'],
          },
        ],
        pricing: { prompt: '0.0000033', completion: '0.0000165' },
        supported_parameters: ['tools', 'reasoning', 'response_format', 'temperature'],
        modalities: { input: ['text', 'image', 'file'] },
        max_output_tokens: 64_000,
      },
    },
  })),
)
const openai = new OpenAI({ apiKey: world.key.raw, baseURL: world.node.baseUrl, maxRetries: 0 })

async function lastRow(): Promise<object> {
  const { data } = await world.node.admin<{ data: object[] }>('/usage/requests?limit=1')
  return data[0]!
}

describe('a model at Bedrock', () => {
  test('answers callers of chat completions, plain and streamed, at its price', async () => {
    world.vendor.next({ script: told(200, answer) })
    const plain = await openai.chat.completions.create({ model: nova, messages, max_tokens: 9 })
    expect(plain.choices[0]).toMatchObject({ message: { content: 'Grüezi 🌍' }, finish_reason: 'stop' })
    expect(plain.usage).toMatchObject({
      prompt_tokens: 1_100,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 1_000 },
    })
    const { path: called, headers, body } = world.lastSent()
    expect(called).toBe(path)
    expect(headers).toMatchObject({ authorization: `Bearer ${bearerKey}` })
    expect(body).toEqual({
      messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
      inferenceConfig: { maxTokens: 9 },
    })
    world.vendor.next({ script: streamed(...frames), split: { seed: 9 } })
    const stream = await openai.chat.completions.create({ model: nova, messages, stream: true })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('Grüezi 🌍')
    expect(world.lastSent().path).toBe(`${path}-stream`)
    expect(await lastRow()).toMatchObject({ stream: true, cost_usd: costUsd })
  })

  test('answers callers of Messages, Responses and Gemini, plain and streamed', async () => {
    const next = (isStream: boolean): void => {
      world.vendor.next({ script: isStream ? streamed(...frames) : told(200, answer) })
    }
    next(false)
    const message = await world.claude.messages.create({ model: nova, max_tokens: 9, messages })
    expect(message).toMatchObject({ content: [{ type: 'text', text: 'Grüezi 🌍' }], stop_reason: 'end_turn' })
    expect(message.usage).toMatchObject({
      input_tokens: 100,
      cache_read_input_tokens: 1_000,
      output_tokens: 50,
    })
    next(true)
    const streamedMessage = world.claude.messages.stream({ model: nova, max_tokens: 9, messages })
    expect((await streamedMessage.finalMessage()).content).toMatchObject([{ text: 'Grüezi 🌍' }])
    next(false)
    const response = await openai.responses.create({ model: nova, input: 'Hello' })
    expect(response.output_text).toBe('Grüezi 🌍')
    next(true)
    const events = await openai.responses.create({ model: nova, input: 'Hello', stream: true })
    let streamedText = ''
    for await (const event of events)
      if (event.type === 'response.output_text.delta') streamedText += event.delta
    expect(streamedText).toBe('Grüezi 🌍')
    const gemini = new GoogleGenAI({
      apiKey: world.key.raw,
      httpOptions: { baseUrl: world.node.origin },
    })
    next(false)
    const generated = await gemini.models.generateContent({ model: nova, contents: 'Hello' })
    expect(generated.text).toBe('Grüezi 🌍')
    next(true)
    let pieces = ''
    for await (const piece of await gemini.models.generateContentStream({ model: nova, contents: 'Hello' }))
      pieces += piece.text ?? ''
    expect(pieces).toBe('Grüezi 🌍')
  })

  test('gets tools, pictures and thinking in the format of Converse', async () => {
    world.vendor.next({
      script: told(200, {
        ...answer,
        output: {
          message: {
            role: 'assistant',
            content: [
              { reasoningContent: { reasoningText: { text: 'Hm', signature: 'c2ln' } } },
              { toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: { city: 'Zürich' } } },
            ],
          },
        },
        stopReason: 'tool_use',
      }),
    })
    const tool = { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } }
    const plain = await openai.chat.completions.create({
      model: 'bedrock/claude-by-converse',
      max_tokens: 4_096,
      reasoning_effort: 'low',
      tools: [tool],
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Where is it?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
          ],
        },
      ],
    })
    expect(plain.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        reasoning_content: 'Hm',
        tool_calls: [{ id: 'tooluse_1', function: { name: 'weather', arguments: '{"city":"Zürich"}' } }],
      },
    })
    expect(world.lastSent().body).toEqual({
      system: [{ text: 'Be brief.' }],
      messages: [
        {
          role: 'user',
          content: [{ text: 'Where is it?' }, { image: { format: 'png', source: { bytes: png } } }],
        },
      ],
      inferenceConfig: { maxTokens: 4_096 },
      toolConfig: {
        tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object', properties: {} } } } }],
      },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2_048 } },
    })
  })

  test('answers JSON by a schema if the model supports that', async () => {
    world.vendor.next({
      script: told(200, {
        ...answer,
        output: { message: { role: 'assistant', content: [{ text: '{"a":1}' }] } },
      }),
    })
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }
    await openai.chat.completions.create({
      model: 'bedrock/claude-by-converse',
      messages,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
    })
    const { outputConfig } = world.lastSent().body as {
      outputConfig: { textFormat: { structure: { jsonSchema: { schema: string } } } }
    }
    expect(outputConfig).toMatchObject({ textFormat: { type: 'json_schema' } })
    expect(JSON.parse(outputConfig.textFormat.structure.jsonSchema.schema)).toEqual({
      ...schema,
      additionalProperties: false,
    })
  })

  test('reports an answer that a guardrail blocks as filtered, not as an error', async () => {
    const blocked = {
      ...answer,
      stopReason: 'guardrail_intervened',
      trace: { guardrail: { modelOutput: ['x'] } },
    }
    world.vendor.next({ script: told(200, blocked) })
    const plain = await openai.chat.completions.create({ model: nova, messages })
    expect(plain.choices[0]).toMatchObject({ finish_reason: 'content_filter' })
    expect(JSON.stringify(plain)).not.toContain('trace')
  })
})

describe('an error of Bedrock', () => {
  const refusedWith = async (): Promise<{ status: number; message: string; headers: Headers }> => {
    const response = await world.node.chat(world.key, { model: nova, messages })
    const { error } = (await response.json()) as { error: { message: string } }
    return { status: response.status, message: error.message, headers: response.headers }
  }

  test.each([
    ['ThrottlingException', 429, 'Too many tokens, please wait.', 429, /Too many tokens/u],
    ['ServiceUnavailableException', 503, 'Busy.', 503, /overloaded|down/u],
    ['ModelErrorException', 424, 'It failed.', 502, /upstream/iu],
    ['ModelTimeoutException', 408, 'Slow.', 504, /in time/u],
    ['ValidationException', 400, 'The text field is blank.', 400, /text field is blank/u],
    ['ValidationException', 400, 'The provided model identifier is invalid.', 502, /credential/u],
    ['AccessDeniedException', 403, 'You do not have access to the model.', 502, /credential/u],
    ['ExpiredTokenException', 403, 'The security token is expired', 502, /credential/u],
  ])('%s is reported as such', async (name, status, message, told_, words) => {
    const type = `${name}:http://internal.amazon.com/coral/com.amazon.bedrock/`
    world.vendor.next({ script: told(status, { message }, { 'x-amzn-errortype': type }) })
    const refused = await refusedWith()
    expect(refused.status).toBe(told_)
    expect(refused.message).toMatch(words)
  })

  test.each([
    [
      'a model that is wrong for one upstream',
      400,
      'ValidationException',
      'The provided model identifier is invalid.',
    ],
    ['a rejected key', 403, 'UnrecognizedClientException', 'The security token is invalid.'],
    ['a limit', 429, 'ThrottlingException', 'Too many requests.'],
  ])('makes the gateway try another candidate: %s', async (_what, status, name, message) => {
    world.vendor.next({ script: told(status, { message }, { 'x-amzn-errortype': name }) })
    world.vendor.next({ script: told(200, answer) })
    const plain = await openai.chat.completions.create({ model: 'clouds/nova', messages })
    expect(plain.choices[0]!.message.content).toBe('Grüezi 🌍')
    // The second one has the operator's guardrail.
    const { body, headers } = world.lastSent()
    expect(body['guardrailConfig']).toEqual({ guardrailIdentifier: 'gr-1', guardrailVersion: '3' })
    expect(headers).toMatchObject({ 'x-amzn-bedrock-guardrailidentifier': 'gr-1' })
  })

  test('within a stream breaks it off, in whichever frame it comes', async () => {
    const broken = Buffer.from(stop)
    broken[20]! ^= 4
    const endings = [
      [exceptionFrame('modelStreamErrorException', { message: 'It broke.', originalStatusCode: 500 })],
      [exceptionFrame('throttlingException', { message: 'Too many tokens.' })],
      [errorFrame('InternalFailure', 'We broke.')],
      [exceptionFrame('aNewException', {})],
      [stop.subarray(0, 20)],
      [broken],
      [],
      // The answer has its end but no usage, so it may be incomplete.
      [stop, metadata.subarray(0, 40)],
    ]
    for (const ending of endings) {
      world.vendor.next({ script: streamed(...head, ...ending) })
      const stream = await openai.chat.completions.create({ model: nova, messages, stream: true })
      const read = async (): Promise<void> => {
        for await (const _ of stream) continue
      }
      await expect(read(), ending.map((frame) => frame.toString('latin1')).join()).rejects.toThrow(/./u)
    }
  })

  test('before the first token gets a status, and another candidate is tried', async () => {
    world.vendor.next({ script: streamed(exceptionFrame('throttlingException', { message: 'Too many.' })) })
    world.vendor.next({ script: streamed(...frames) })
    const stream = await openai.chat.completions.create({ model: 'clouds/nova', messages, stream: true })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('Grüezi 🌍')
  })
})

test('the catalog has Claude in its own format, with a price for each kind of cache write', async () => {
  const authorization = `Bearer ${world.key.raw}`
  const response = await fetch(`${world.node.baseUrl}/models`, { headers: { authorization } })
  const { data } = (await response.json()) as {
    data: { id: string; pricing: Record<string, string> }[]
  }
  expect(data.find(({ id }) => id === claude)?.pricing).toMatchObject({
    prompt: '0.0000033',
    input_cache_write: '0.000004125',
    input_cache_write_1h: '0.0000066',
  })
})
