import { describe, expect, test } from 'vitest'
import { googleScript } from '../../../apps/server/money/testing/billed-answers.ts'
import { otherStyles, styles } from '../messages/messages-node.ts'
import { startGenerateNode } from './generate-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/**
 * Tools that Google runs have a price and count for the hold, or are refused by their path; the caller's own
 * tools pass.
 */

const perSearch = 'gemini/gemini-3-flash'
const perPrompt = 'gemini/gemini-2.5-flash'
const unpriced = 'gemini/gemini-plain'
const search = { googleSearch: {} }
const functions = { functionDeclarations: [{ name: 'mine', parametersJsonSchema: { type: 'object' } }] }

const plain = { prompt: '0.000001', completion: '0.000002' }
const context = { context_length: 200_000, max_output_tokens: 64_000 }
const world = await suiteWorld(
  startGenerateNode({
    models: {
      [perPrompt]: { pricing: { ...plain, grounded_prompt: '0.035' }, ...context },
      [unpriced]: { pricing: plain, ...context },
    },
  }),
)

const usage = { promptTokenCount: 1_000, candidatesTokenCount: 10, toolUsePromptTokenCount: 500 }

describe.each([false, true, 'array'] as const)('searches (stream: %s)', (stream) => {
  test('are charged one by one for models billed per search, except empty ones', async () => {
    world.next(googleScript(['Zürich', '', 'Bern'], usage, stream !== false))
    const answered = await world.post(perSearch, { tools: [search] }, { stream })
    expect(answered.status).toBe(200)
    expect(answered.text).toContain('"webSearchQueries":["Zürich","","Bern"]')
    expect(answered.text).toContain('"toolUsePromptTokenCount":500')
    expect(answered.text).toContain('"cost_usd":"0.02465"')
    // 1,500 of input, 10 of output, 2 searches at 0.01.
    expect((await world.world.row(answered)).charge_usd).toBe('0.02465')
    expect(world.world.lastSent()['tools']).toEqual([search])
  })

  test('are charged once for models billed per prompt', async () => {
    world.next(googleScript(['Zürich', 'Bern', 'Genf'], usage, stream !== false))
    const answered = await world.post(perPrompt, { tools: [{ google_search: {} }] }, { stream })
    expect((await world.world.row(answered)).charge_usd).toBe('0.03652')
    world.next(googleScript([], usage, stream !== false))
    const unsearched = await world.post(perPrompt, { tools: [search] }, { stream })
    expect((await world.world.row(unsearched)).charge_usd).toBe('0.00152')
  })
})

test("accepts functions and Google's tools in one object", async () => {
  world.next(googleScript([], usage, false))
  const tools = [{ ...functions, codeExecution: {}, urlContext: {} }, search]
  expect((await world.post(perSearch, { tools })).status).toBe(200)
  expect(world.world.lastSent()['tools']).toEqual(tools)
})

test.each([
  ['maps', [functions, { googleMaps: { enableWidget: true } }], 'tools[1].googleMaps'],
  ['maps in snake case', [{ ...functions, google_maps: {} }], 'tools[0].googleMaps'],
  ['the search for enterprises', [{ enterpriseWebSearch: {} }], 'tools[0].enterpriseWebSearch'],
  ['an unknown tool', [functions, { nextSearch: {} }], 'tools[1].nextSearch'],
  ['remote MCP servers', [{ mcpServers: [{ name: 'x' }] }], 'tools[0].mcpServers'],
  ['a tool that is not an object', [{ googleSearch: true }], 'tools[0].googleSearch'],
  [
    'the operator’s files',
    [{ fileSearch: { fileSearchStoreNames: ['fileSearchStores/1'] } }],
    'tools[0].fileSearch.fileSearchStoreNames[0]',
  ],
  [
    'the same in snake case',
    [{ file_search: { file_search_store_names: ['fileSearchStores/1'] } }],
    'tools[0].fileSearch.file_search_store_names[0]',
  ],
])('refuses %s', async (_what, tools, field) => {
  const { asked } = world.world
  const answered = await world.post(perSearch, { tools })
  expect({ status: answered.status, field: world.fieldOf(answered) }).toEqual({ status: 400, field })
  expect(answered.body.error!.message).toContain(field)
  expect(world.world.asked).toBe(asked)
})

test('refuses a tool that is given in two spellings', async () => {
  const answered = await world.post(perSearch, { tools: [{ googleSearch: {}, google_search: {} }] })
  expect({ status: answered.status, field: world.fieldOf(answered) }).toEqual({
    status: 400,
    field: 'tools[0].googleSearch',
  })
})

test('refuses a search for a model without a price for it', async () => {
  const answered = await world.post(unpriced, { tools: [functions, search] })
  expect({ status: answered.status, field: world.fieldOf(answered) }).toEqual({
    status: 400,
    field: 'tools[1].googleSearch',
  })
})

test('accepts computer use, which the caller runs', async () => {
  world.next(googleScript([], usage, false))
  const tools = [{ computerUse: { environment: 'ENVIRONMENT_BROWSER' } }]
  expect((await world.post(unpriced, { tools })).status).toBe(200)
})

test.each([
  ['searches', search, '0.06'],
  ['pages', { urlContext: {} }, '0.55'],
])('the hold includes %s', async (_what, tool, creditUsd) => {
  const key = await world.world.node.createKey({ creditUsd })
  const { asked } = world.world
  const config = { generationConfig: { maxOutputTokens: 10 } }
  const refused = await world.post(perSearch, { ...config, tools: [tool] }, { key })
  expect({ status: refused.status, told: refused.body.error?.status }).toEqual({
    status: 402,
    told: 'FAILED_PRECONDITION',
  })
  expect(world.world.asked).toBe(asked)
  world.next(googleScript([], usage, false))
  expect((await world.post(perSearch, config, { key })).status).toBe(200)
})

test.each(otherStyles.filter((style) => style !== 'gemini'))('%s refuses all of them', async (style) => {
  for (const tool of [search, { codeExecution: {} }, { urlContext: {} }]) {
    const answered = await world.post(styles[style].model, { tools: [functions, tool] })
    const [name] = Object.keys(tool)
    expect({ status: answered.status, field: world.fieldOf(answered) }).toEqual({
      status: 400,
      field: `tools[1].${name}`,
    })
    expect(answered.body.error!.message).toContain("Google's own tools")
  }
})
