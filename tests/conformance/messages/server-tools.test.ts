import { describe, expect, test } from 'vitest'
import { anthropicScript } from '../../../apps/server/money/testing/billed-answers.ts'
import { otherStyles, startMessagesNode, styles } from './messages-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/**
 * Tools that Anthropic runs have a price and count for the hold, or are refused by their path; the caller's
 * own tools pass.
 */

const model = styles.anthropic.model
const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 }
const codingSearch = { type: 'web_search_20260318', name: 'web_search', max_uses: 3 }
const fetching = { type: 'web_fetch_20250910', name: 'web_fetch', max_uses: 2, max_content_tokens: 5_000 }
const code = { type: 'code_execution_20260521', name: 'code_execution' }
const own = { name: 'mine', input_schema: { type: 'object' } }

const unpriced = { pricing: { prompt: '0.000001', completion: '0.000002' } }
const world = await suiteWorld(startMessagesNode({ models: { 'anthropic/claude-plain': unpriced } }))

const usage = (more: object = {}): Record<string, unknown> => ({
  input_tokens: 1_000,
  output_tokens: 10,
  ...more,
})

test.each([
  ['bash_20250124', 'bash'],
  ['text_editor_20250728', 'str_replace_based_edit_tool'],
  ['computer_20251124', 'computer'],
  ['memory_20250818', 'memory'],
  ['tool_search_tool_regex_20251119', 'tool_search_tool_regex'],
])('%s passes unchanged', async (type, name) => {
  const tools = [own, { type, name }]
  world.says('anthropic')
  expect((await world.post({ model, tools })).status).toBe(200)
  expect(world.lastSent()['tools']).toEqual(tools)
})

describe.each([false, true])('searches (stream: %s)', (stream) => {
  test('are charged by number', async () => {
    const counted = usage({ server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 } })
    world.next(anthropicScript(counted, stream))
    const answered = await world.post({ model, tools: [search], stream })
    expect(answered.status).toBe(200)
    // 1,000 of input, 10 of output, 2 searches.
    expect((await world.row(answered)).charge_usd).toBe('0.02315')
  })

  test('may read more than a context in total', async () => {
    world.next(anthropicScript(usage({ input_tokens: 500_000 }), stream))
    const { charge_usd: charge, usage: told } = await world.row(
      await world.post({ model, tools: [search], stream }),
    )
    expect(charge).toBe('1.50015')
    expect(told).toMatchObject({ estimated: false })
    world.next(anthropicScript(usage({ input_tokens: 500_000 }), stream))
    const without = await world.row(await world.post({ model, tools: [own], stream }))
    expect(without.usage).toMatchObject({ estimated: true })
  })

  test('are charged together with compaction, which is not in the totals', async () => {
    const once = { input_tokens: 60_000, output_tokens: 100, cache_read_input_tokens: 0 }
    const iterations = [
      { type: 'compaction', ...once },
      { type: 'message', ...usage() },
    ]
    world.next(anthropicScript(usage({ iterations }), stream))
    const edits = [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } }]
    const answered = await world.post({ model, context_management: { edits }, stream })
    // 61,000 of input, 110 of output.
    expect((await world.row(answered)).charge_usd).toBe('0.18465')
    expect(world.lastSent()['context_management']).toEqual({ edits })
  })
})

test.each([
  ['code_execution alone', [code], 'tools.0.type'],
  ['code next to a search that does not run it', [search, code], 'tools.1.type'],
  ['another model', [{ type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-5' }], 'tools.0.type'],
  ['remote MCP servers', [own, { type: 'mcp_toolset', mcp_server_name: 'x' }], 'tools.1.type'],
  ['an unknown tool', [{ type: 'web_search_20990101', name: 'web_search' }], 'tools.0.type'],
  ['pages without a limit', [{ ...fetching, max_uses: undefined }], 'tools.0.max_uses'],
  ['pages of any length', [own, { ...fetching, max_content_tokens: null }], 'tools.1.max_content_tokens'],
  ['half a page', [{ ...fetching, max_content_tokens: 0.5 }], 'tools.0.max_content_tokens'],
])('refuses %s', async (_what, tools, param) => {
  const { asked } = world
  const { status, body } = await world.post({ model, tools })
  expect({ status, type: body.error?.type, param: body.error?.param }).toEqual({
    status: 400,
    type: 'invalid_request_error',
    param,
  })
  expect(body.error?.message.startsWith(param)).toBe(true)
  expect(world.asked).toBe(asked)
})

test.each([
  ['pages within bounds', [fetching]],
  ['code next to a search that runs it', [code, codingSearch]],
])('accepts %s', async (_what, tools) => {
  world.says('anthropic')
  expect((await world.post({ model, tools })).status).toBe(200)
})

test('refuses a search for a model without a price for it', async () => {
  const { status, body } = await world.post({ model: 'anthropic/claude-plain', tools: [search] })
  expect({ status, param: body.error?.param }).toEqual({ status: 400, param: 'tools.0.type' })
})

test.each([
  ['pages', { max_tokens: 10, tools: [fetching] }],
  [
    'a shorter conversation',
    {
      max_tokens: 10,
      context_management: {
        edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } }],
      },
      messages: [{ role: 'user', content: 'word '.repeat(40_000) }],
    },
  ],
])('the hold includes %s', async (_what, body) => {
  const key = await world.node.createKey({ creditUsd: '0.55' })
  const { asked } = world
  const refused = await world.post({ model, ...body }, { key })
  expect({ status: refused.status, type: refused.body.error?.type }).toEqual({
    status: 402,
    type: 'billing_error',
  })
  expect(world.asked).toBe(asked)
  const { tools: _tools, context_management: _edits, ...plain } = body as Record<string, unknown>
  world.says('anthropic')
  expect((await world.post({ model, ...plain }, { key })).status).toBe(200)
})

describe('searches that the credit does not cover', () => {
  test.each([
    ['without a limit of their own', { type: 'web_search_20250305', name: 'web_search', citations: true }],
    ['more than it covers', { ...search, max_uses: 20 }],
  ])('are limited to what it covers: %s', async (_what, asked) => {
    const key = await world.node.createKey({ creditUsd: '0.2' })
    world.says('anthropic')
    const answered = await world.post({ model, max_tokens: 10, tools: [own, asked] }, { key })
    expect(answered.status).toBe(200)
    const uses = Number(answered.headers.get('x-turnpike-max-uses'))
    expect(uses).toBeGreaterThan(0)
    expect(uses).toBeLessThan(10)
    expect(world.lastSent()['tools']).toEqual([own, { ...asked, max_uses: uses }])
    // One more use would not have been covered.
    const more = await world.post(
      { model, max_tokens: 10, tools: [{ ...asked, max_uses: uses + 1 }] },
      { key },
    )
    expect(more.headers.get('x-turnpike-max-uses')).not.toBe(String(uses + 1))
  })

  test('are not limited if it covers them', async () => {
    world.says('anthropic')
    const answered = await world.post({ model, tools: [search] })
    expect([answered.status, answered.headers.get('x-turnpike-max-uses')]).toEqual([200, null])
    expect(world.lastSent()['tools']).toEqual([search])
  })

  test('are 402 if it does not cover one, with advice on what to lower', async () => {
    const key = await world.node.createKey({ creditUsd: '0.01' })
    const { asked } = world
    const { status, body } = await world.post({ model, max_tokens: 10, tools: [search] }, { key })
    expect([status, body.error?.type]).toEqual([402, 'billing_error'])
    expect(body.error?.message).toMatch(/lower max_tokens or the number of web searches\.$/)
    expect(world.asked).toBe(asked)
  })

  test('are charged no more than their hold', async () => {
    const key = await world.node.createKey({ creditUsd: '0.2' })
    world.next(anthropicScript(usage({ server_tool_use: { web_search_requests: 90 } }), false))
    const answered = await world.post({ model, max_tokens: 10, tools: [search] }, { key })
    const { charge_usd: charge } = await world.row(answered, key)
    expect(Number(charge)).toBeLessThanOrEqual(0.2)
  })
})

test.each(['system', 'user'])('a turn of the %s cannot add a tool that costs extra', async (role) => {
  const adding = (definition: object): object => ({
    role,
    content: [
      { type: 'text', text: 'Now with:' },
      { type: 'tool_addition', tool: { type: 'tool_definition', definition } },
    ],
  })
  const messages = (definition: object): object[] => [{ role: 'user', content: 'Hello' }, adding(definition)]
  const { asked } = world
  const { status, body } = await world.post({ model, messages: messages(search) })
  expect({ status, param: body.error?.param }).toEqual({ status: 400, param: 'messages.1.content.1' })
  expect(world.asked).toBe(asked)
  world.says('anthropic')
  expect((await world.post({ model, messages: messages(own) })).status).toBe(200)
})

test('a summary that is sent back cannot add one, either', async () => {
  const change = { type: 'tool_addition', tool: { type: 'tool_definition', definition: search } }
  const summary = { type: 'compaction', content: 'So far', tool_changes: [change] }
  const messages = [{ role: 'user', content: [summary, { type: 'text', text: 'Go on' }] }]
  const { status, body } = await world.post({ model, messages })
  expect({ status, param: body.error?.param }).toEqual({ status: 400, param: 'messages.0.content.0' })
})

test.each(otherStyles)('%s refuses all of them', async (style) => {
  for (const tool of [search, code, { type: 'bash_20250124', name: 'bash' }]) {
    const { status, body } = await world.post({ model: styles[style].model, tools: [own, tool] })
    expect({ status, param: body.error?.param }).toEqual({ status: 400, param: 'tools.1' })
    expect(body.error?.message).toContain("Anthropic's own tools")
  }
})
