import { describe, expect, test } from 'vitest'
import { googleScript } from '../../../apps/server/money/testing/billed-answers.ts'
import { otherStyles, styles } from '../messages/messages-node.ts'
import { startGenerateNode, type GenerateNode } from './generate-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/** Each setting of Google's API is passed to Google, translated for others, or refused by its path. */

const model = styles.gemini.model
const drawing = 'gemini/gemini-draws'
const usage = { promptTokenCount: 1_000, candidatesTokenCount: 10 }
const others = otherStyles.filter((style) => style !== 'gemini')

const pricing = {
  prompt: '0.000001',
  completion: '0.000002',
  image_output: '0.00003',
  service_tiers: { priority: { prompt: '0.000003' } },
}
const world = await suiteWorld(
  startGenerateNode({
    models: { [drawing]: { pricing, context_length: 100_000, max_output_tokens: 8_000 } },
  }),
)

const schema = { type: 'OBJECT', properties: { city: { type: 'STRING' } } }

test.each<[string, object]>([
  ['safetySettings', { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] }],
  ['a medium resolution', { generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' } }],
  ['a voice', { generationConfig: { speechConfig: { languageCode: 'de-DE' } } }],
  [
    'JSON by a schema',
    { generationConfig: { responseMimeType: 'application/json', responseSchema: schema } },
  ],
  ['a reasoning level', { generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } }],
  ['a reasoning budget', { generation_config: { thinking_config: { thinking_budget: 512 } } }],
  ['text alone', { generationConfig: { responseModalities: ['TEXT'] } }],
  ['two candidates', { generation_config: { candidate_count: 2, response_modalities: ['TEXT'] } }],
  ['the plain tier', { serviceTier: 'standard' }],
  ['the cheap tier', { service_tier: 'flex' }],
  ['where one is', { toolConfig: { retrievalConfig: { languageCode: 'de' } } }],
])('%s reaches Google unchanged', async (_what, body) => {
  world.next(googleScript([], usage, false))
  expect((await world.post(model, { ...body })).status).toBe(200)
  expect(world.world.lastSent()).toMatchObject(body)
})

test.each<[string, object, string]>([
  ['a cached content', { cachedContent: 'cachedContents/abc' }, 'cachedContent'],
  ['the same in snake case', { cached_content: 'cachedContents/abc' }, 'cachedContent'],
  [
    'a file of the account',
    { contents: [{ parts: [{ fileData: { fileUri: 'gs://bucket/a.pdf' } }] }] },
    'contents[0].parts[0].fileData.fileUri',
  ],
  [
    'a file of the Files API',
    {
      contents: [
        { parts: [{ file_data: { file_uri: 'https://generativelanguage.googleapis.com/v1beta/files/x' } }] },
      ],
    },
    'contents[0].parts[0].fileData.fileUri',
  ],
  ['labels', { labels: { team: 'x' } }, 'labels'],
  ['another model', { generationConfig: { routingConfig: {} } }, 'generationConfig.routingConfig'],
  [
    'images without a price',
    { generationConfig: { responseModalities: ['IMAGE'] } },
    'generationConfig.responseModalities',
  ],
  [
    'the same in snake case',
    { generation_config: { response_modalities: ['AUDIO'] } },
    'generationConfig.responseModalities',
  ],
  ['an expensive tier without a price', { serviceTier: 'priority' }, 'serviceTier'],
  ['an unknown tier', { service_tier: 'gold' }, 'serviceTier'],
  [
    'a number as a string',
    { generationConfig: { maxOutputTokens: '5' } },
    'generationConfig.maxOutputTokens',
  ],
  ['zero candidates', { generationConfig: { candidateCount: 0 } }, 'generationConfig.candidateCount'],
  [
    'an unknown level',
    { generationConfig: { thinkingConfig: { thinkingLevel: 'x' } } },
    'generationConfig.thinkingConfig.thinkingLevel',
  ],
])('refuses %s', async (_what, body, field) => {
  const { asked } = world.world
  const answered = await world.post(model, body as Record<string, unknown>)
  expect({ status: answered.status, field: world.fieldOf(answered) }).toEqual({ status: 400, field })
  expect(answered.body.error!.message).toContain(field)
  expect(world.world.asked).toBe(asked)
})

test('generates images if they have a price, and returns them', async () => {
  const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }
  const expected = {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Here.' }, image] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: 1_000,
      candidatesTokenCount: 1_300,
      thoughtsTokenCount: 50,
      candidatesTokensDetails: [
        { modality: 'IMAGE', tokenCount: 1_290 },
        { modality: 'TEXT', tokenCount: 10 },
      ],
    },
  }
  for (const stream of [false, true]) {
    world.next(scriptOf(expected, stream))
    const generationConfig = { responseModalities: ['TEXT', 'IMAGE'] }
    const answered = await world.post(drawing, { generationConfig }, { stream })
    expect(answered.text).toContain('"data":"iVBORw0KGgo="')
    // 1,000 in, 60 of text and thoughts, 1,290 of images: 0.001 + 0.00012 + 0.0387.
    expect((await world.world.row(answered)).charge_usd).toBe('0.03982')
  }
})

test('charges the price of an expensive tier if it has one', async () => {
  world.next(googleScript([], { ...usage, serviceTier: 'priority' }, false))
  const answered = await world.post(drawing, { serviceTier: 'priority' })
  expect((await world.world.row(answered)).charge_usd).toBe('0.00302')
})

test('passes on executable code and its output', async () => {
  const parts = [
    { executableCode: { language: 'PYTHON', code: 'print(1)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } },
    { text: 'It is 1.' },
  ]
  const expected = {
    candidates: [
      { content: { role: 'model', parts }, finishReason: 'STOP', urlContextMetadata: { urlMetadata: [] } },
    ],
    usageMetadata: { ...usage, toolUsePromptTokenCount: 200 },
  }
  world.next(scriptOf(expected, false))
  const answered = await world.post(model, { tools: [{ codeExecution: {} }] })
  expect(answered.body['candidates']).toEqual(expected.candidates)
  expect((await world.world.row(answered)).charge_usd).toBe('0.00375')
})

describe.each(others)('%s', (style) => {
  test.each<[string, object, string]>([
    ['a voice', { generationConfig: { speechConfig: {} } }, 'generationConfig.speechConfig'],
    ['a resolution', { generation_config: { media_resolution: 'X' } }, 'generationConfig.mediaResolution'],
    [
      'an image',
      { generationConfig: { responseModalities: ['IMAGE'] } },
      'generationConfig.responseModalities',
    ],
    [
      'another type',
      { generationConfig: { responseMimeType: 'text/x.enum' } },
      'generationConfig.responseMimeType',
    ],
  ])('refuses %s by its path', async (_what, body, field) => {
    const answered = await world.post(styles[style].model, body as Record<string, unknown>)
    expect({ status: answered.status, field: world.fieldOf(answered) }).toEqual({ status: 400, field })
  })

  test('answers a request with safety settings that it does not have', async () => {
    world.world.says(style)
    const body = { safetySettings: [{ category: 'X', threshold: 'Y' }], serviceTier: 'standard' }
    expect((await world.post(styles[style].model, body)).status).toBe(200)
  })
})

function scriptOf(body: object, stream: boolean): Parameters<GenerateNode['next']>[0] {
  const text = JSON.stringify(body)
  const bytes = Buffer.from(stream ? `data: ${text}\r\n\r\n` : text)
  return {
    status: 200,
    headers: { 'content-type': stream ? 'text/event-stream' : 'application/json' },
    steps: [{ type: 'head' }, { type: 'bytes', bytes, tokens: 0 }, { type: 'end' }],
    bill: undefined,
  }
}
