import {
  ApiError,
  FunctionCallingConfigMode,
  GoogleGenAI,
  type CallableTool,
  type GenerateContentParameters,
  type GenerateContentResponse,
} from '@google/genai'
import { describe, expect, test } from 'vitest'
import { called, forecast, looked, said, thought, usage } from '../messages/sdk/feature-vendor.ts'
import { startFeatureNode } from '../messages/sdk/feature-node.ts'
import { modelOf, styleNames } from '../vendors/scripted/styled-vendor.ts'
import { costUsd } from '../vendors/vendor-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/** Features of `@google/genai`, each with a vendor of each style. */

const world = await suiteWorld(startFeatureNode())
const client = new GoogleGenAI({ apiKey: world.key.raw, httpOptions: { baseUrl: world.node.origin } })

const declaration = {
  name: 'get_weather',
  description: 'Tells the weather.',
  parametersJsonSchema: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
}
const tools = [{ functionDeclarations: [declaration] }]
const counted = { prompt: 112, completion: 65, cached: 100, cacheWritten: 0, written1h: 0, reasoning: 25 }

async function collect(stream: AsyncGenerator<GenerateContentResponse>): Promise<GenerateContentResponse[]> {
  const answers: GenerateContentResponse[] = []
  for await (const answer of stream) answers.push(answer)
  return answers
}

async function thrownBy(answered: Promise<unknown>): Promise<unknown> {
  return answered.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe.each(styleNames)('with a vendor of the style %s', (style) => {
  const model = modelOf(style)
  const asks = (feature: string, config = {}): GenerateContentParameters => ({
    model,
    contents: `[[${feature}]] Hello`,
    config: { maxOutputTokens: 4_000, ...config },
  })
  const expectUsage = ({ usageMetadata }: GenerateContentResponse): void =>
    expect(usageMetadata).toMatchObject({
      promptTokenCount: usage.input + usage.cached,
      cachedContentTokenCount: usage.cached,
      // Mistral does not count reasoning separately.
      ...(style === 'mistral'
        ? { candidatesTokenCount: usage.output + usage.reasoning }
        : { candidatesTokenCount: usage.output, thoughtsTokenCount: usage.reasoning }),
      cost_usd: costUsd(counted),
    })

  test('gives a plain answer', async () => {
    const answer = await client.models.generateContent(asks('text', { systemInstruction: 'Be brief.' }))
    expect(answer.text).toBe(said)
    expect(answer.modelVersion).toBe(model)
    expect(answer.candidates![0]!.finishReason).toBe('STOP')
    expectUsage(answer)
  })

  test('streams an answer, whose last event has the usage', async () => {
    const answers = await collect(await client.models.generateContentStream(asks('text')))
    expect(answers.map(({ text }) => text ?? '').join('')).toBe(said)
    expect(answers.filter(({ usageMetadata }) => usageMetadata !== undefined)).toHaveLength(1)
    expect(answers.at(-1)!.candidates![0]!.finishReason).toBe('STOP')
    expectUsage(answers.at(-1)!)
  })

  test.each(['plain', 'streamed'])('calls a function in a chat, %s', async (way) => {
    const chat = client.chats.create({ model, config: { tools, maxOutputTokens: 4_000 } })
    const send = async (
      message: Parameters<typeof chat.sendMessage>[0],
    ): Promise<GenerateContentResponse[]> =>
      way === 'plain' ? [await chat.sendMessage(message)] : collect(await chat.sendMessageStream(message))
    const first = await send({ message: `[[thinking ${way}]] What is it like in Zürich?` })
    const calls = first.flatMap(({ functionCalls }) => functionCalls ?? [])
    expect(calls).toMatchObject([{ name: called.name, args: called.arguments }])
    const [call] = calls
    const functionResponse = {
      ...(call!.id === undefined ? {} : { id: call!.id }),
      name: called.name,
      response: { output: '7 °C' },
    }
    const second = await send({ message: { functionResponse } })
    expect(second.map(({ text }) => text ?? '').join('')).toBe(looked)
    const [, again] = world.asked(style, `[[thinking ${way}]]`)
    const body = JSON.stringify(again)
    expect(body).toContain('7 °C')
    expect(body).not.toContain('dHVybnBpa2Uu')
    if (style === 'anthropic')
      expect(body).toContain(
        JSON.stringify({ type: 'thinking', thinking: thought.text, signature: thought.signature }),
      )
    if (style === 'google') expect(body).toContain(thought.signature)
  })

  test('answers JSON by a schema', async () => {
    const responseSchema = {
      type: 'OBJECT',
      properties: { city: { type: 'STRING' }, days: { type: 'INTEGER' } },
      required: ['city', 'days'],
    }
    const config = { responseMimeType: 'application/json', responseSchema }
    const answer = await client.models.generateContent(asks('json', config))
    if (style !== 'anthropic') expect(JSON.parse(answer.text!)).toEqual(forecast)
    const [body] = world.asked(style, '[[json]]')
    if (style !== 'google') expect(JSON.stringify(body)).not.toContain('"OBJECT"')
  })

  test('calls a function that must be called', async () => {
    const toolConfig = { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } }
    const answer = await client.models.generateContent(asks('tool forced', { tools, toolConfig }))
    expect(answer.functionCalls).toMatchObject([{ name: called.name, args: called.arguments }])
  })

  test('reports a stream that breaks off as an error, never as an answer', async () => {
    const stream = await client.models.generateContentStream(asks('cut'))
    const error = await thrownBy(collect(stream))
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).status).toBeGreaterThanOrEqual(500)
  })

  test('lets the client call functions automatically', async () => {
    const ran: unknown[] = []
    const own: CallableTool = {
      tool: async () => ({ functionDeclarations: [declaration] }),
      callTool: async (calls) =>
        calls.map(({ id, name, args }) => {
          ran.push(args!['city'])
          return { functionResponse: { id: id!, name: name!, response: { output: '7 °C' } } }
        }),
    }
    const answer = await client.models.generateContent(asks('two node', { tools: [own] }))
    expect(ran).toEqual(['Zürich', 'Bern'])
    expect(answer.text).toBe(looked)
  })

  test('retries if a vendor is overloaded', async () => {
    const httpOptions = { baseUrl: world.node.origin, retryOptions: { attempts: 3 } }
    const patient = new GoogleGenAI({ apiKey: world.key.raw, httpOptions })
    expect((await patient.models.generateContent(asks('limited google node'))).text).toBe(said)
  })

  test('stops answering a client that leaves', async () => {
    const abort = new AbortController()
    const asked = asks(`silent google ${style}`, { abortSignal: abort.signal })
    const stream = await client.models.generateContentStream(asked)
    const first = await stream.next()
    expect(said.startsWith((first.value as GenerateContentResponse).text!.slice(0, 3))).toBe(true)
    abort.abort()
    expect(await thrownBy(collect(stream))).toBeDefined()
    await world.vendor.journal.awaitSettled()
    const entry = world.vendor.journal.entries.findLast(({ request }) =>
      request.body.includes(`[[silent google ${style}]]`),
    )
    expect(entry!.ending).toBe('client-closed')
  })

  test('counts tokens', async () => {
    const { totalTokens } = await client.models.countTokens({ model, contents: 'Hello, how are you?' })
    expect(totalTokens).toBeGreaterThan(3)
  })
})

test('lists the models page by page, and returns one of them', async () => {
  const pager = await client.models.list({ config: { pageSize: 2 } })
  const names: string[] = []
  for await (const { name } of pager) names.push(name!)
  for (const style of styleNames) expect(names).toContain(`models/${modelOf(style)}`)
  const one = await client.models.get({ model: modelOf('openai') })
  expect(one).toMatchObject({ name: `models/${modelOf('openai')}`, inputTokenLimit: 1_000_000 })
})

test('does not take keep-alive comments in a silent stream for an answer', { timeout: 60_000 }, async () => {
  const answers = await collect(
    await client.models.generateContentStream({ model: modelOf('google'), contents: '[[paused]] Hello' }),
  )
  expect(answers.map(({ text }) => text ?? '').join('')).toBe(said)
})

test('keeps a stream as an array valid while it is silent', { timeout: 60_000 }, async () => {
  const path = `/v1beta/models/${modelOf('google')}:streamGenerateContent`
  const response = await fetch(world.node.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': world.key.raw },
    body: JSON.stringify({ contents: [{ parts: [{ text: '[[paused]] Hello' }] }] }),
  })
  const text = await response.text()
  expect(text).toMatch(/\}\n\r\n,\r\n\{/u)
  expect((JSON.parse(text) as unknown[]).length).toBeGreaterThan(1)
})

test('sends a stream without alt=sse as one JSON array', async () => {
  const path = `/v1beta/models/${encodeURIComponent(modelOf('mistral'))}:streamGenerateContent`
  const response = await fetch(`${world.node.origin}${path}?key=${world.key.raw}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ contents: [{ parts: [{ text: '[[text]] Hello' }] }] }),
  })
  expect(response.headers.get('content-type')).toMatch(/^application\/json/u)
  const answers = (await response.json()) as { candidates: { finishReason?: string }[] }[]
  expect(answers.length).toBeGreaterThan(1)
  expect(answers.at(-1)!.candidates[0]!.finishReason).toBe('STOP')
})

test.each<[string, string, object, number, string]>([
  ['an unknown model', 'nobody/nothing:generateContent', {}, 404, 'NOT_FOUND'],
  ['a tool of Google', 'M:generateContent', { tools: [{ googleSearch: {} }] }, 400, 'tools[0].googleSearch'],
  [
    'both spellings',
    'M:generateContent',
    { systemInstruction: {}, system_instruction: {} },
    400,
    'given twice',
  ],
  ['an unknown setting', 'M:generateContent', { generationConfig: { foo: 1 } }, 400, 'generationConfig.foo'],
  ['a cached content', 'M:generateContent', { cachedContent: 'cachedContents/1' }, 400, 'cachedContent'],
  ['an unknown method', 'M:predict', {}, 404, 'countTokens'],
])("refuses %s in Google's error envelope", async (_name, path, further, status, told) => {
  const response = await fetch(`${world.node.origin}/v1beta/models/${path.replace('M', modelOf('openai'))}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': world.key.raw },
    body: JSON.stringify({ contents: [{ parts: [{ text: 'Hello' }] }], ...further }),
  })
  expect(response.status).toBe(status)
  const text = await response.text()
  expect(JSON.parse(text)).toMatchObject({ error: { code: status, details: expect.any(Array) as object[] } })
  expect(text).toContain(told)
})
