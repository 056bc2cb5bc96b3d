import { describe, expect, test } from 'vitest'
import { plainQuirks } from '../../testing/plain-quirks.ts'
import { scanObject } from '../../json/scan.ts'
import type { SentRequest } from '../../caller.ts'
import { openaiResponsesCaller } from '../caller.ts'

const quirks = { ...plainQuirks, takesStreamOptions: true, refusesReasoning: true }

function spliced(text: string, more: Partial<SentRequest> = {}): string {
  const body = Buffer.from(text)
  return openaiResponsesCaller
    .passThrough!.spliceRequest({
      body,
      members: scanObject(body).members,
      call: openaiResponsesCaller.parse(JSON.parse(text) as object),
      model: 'gpt-5',
      reasons: false,
      maxOutputTokens: undefined,
      asUnderstood: [],
      quirks,
      ...more,
    })
    .toString('utf8')
}

const sent = (body: object, more: Partial<SentRequest> = {}): Record<string, unknown> =>
  JSON.parse(spliced(JSON.stringify(body), more)) as Record<string, unknown>

test("everything that is not the gateway's passes byte for byte", () => {
  const rest = `"input" : "Gr\\u00fc\\u00dfe","temperature":1.0, "new_field":{"a" : [ ]}`
  expect(spliced(`{"model":"openai/gpt-5", ${rest},"store":true, "models":["x"]}`)).toBe(
    `{"model":"gpt-5", ${rest},"store":false}`,
  )
})

test.each([
  [{ tags: ['a'], retry_of: 'x', purpose: 'y' }, { purpose: 'y' }],
  [{ tags: ['a'] }, undefined],
])("the gateway's own metadata is removed, and the rest stays: %j", (metadata, expected) => {
  expect(sent({ model: 'm', input: 'x', metadata })['metadata']).toEqual(expected)
})

test("the output bound is ours if it differs from the caller's", () => {
  expect(sent({ model: 'm', input: 'x' }, { maxOutputTokens: 4_096 })).toMatchObject({
    max_output_tokens: 4_096,
  })
  const lowered = sent({ model: 'm', input: 'x', max_output_tokens: 64_000 }, { maxOutputTokens: 5_000 })
  expect(lowered['max_output_tokens']).toBe(5_000)
})

test('the vendor may use its tools no more often than the hold covers', () => {
  const tools = [{ type: 'web_search' }]
  expect(sent({ model: 'm', input: 'x', tools }, { toolUses: 3 })['max_tool_calls']).toBe(3)
  expect(sent({ model: 'm', input: 'x', tools, max_tool_calls: 2 }, { toolUses: 3 })).toMatchObject({
    max_tool_calls: 2,
  })
})

describe('encrypted reasoning is requested, since nothing is kept', () => {
  const encrypted = 'reasoning.encrypted_content'
  test.each([
    [undefined, [encrypted]],
    [null, [encrypted]],
    [['code_interpreter_call.outputs'], ['code_interpreter_call.outputs', encrypted]],
    [[encrypted], [encrypted]],
  ])('%j', (include, expected) => {
    const body = { model: 'm', input: 'x', ...(include === undefined ? {} : { include }) }
    expect(sent(body, { reasons: true })['include']).toEqual(expected)
  })

  test('except from models that do not reason', () => {
    expect(sent({ model: 'm', input: 'x' })).not.toHaveProperty('include')
  })
})

const own = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' }
const kept = { type: 'reasoning', id: 'rs_2', summary: [{ type: 'summary_text', text: 'Hm' }] }
const plain = { type: 'reasoning', id: 'x', summary: [], content: [{ type: 'reasoning_text', text: 'Hm' }] }
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'call_1', output: 'x' }

test("a conversation of the vendor's own passes unchanged", () => {
  const input = [{ role: 'user', content: 'Hi' }, own, call, output]
  expect(sent({ model: 'm', input })['input']).toEqual(input)
})

test('omits reasoning that the vendor would have to look up, and the ids that depended on it', () => {
  const { id: _id, ...rest } = call
  const input = [{ role: 'user', content: 'Hi' }, own, kept, plain, call, output]
  expect(sent({ model: 'm', input })['input']).toEqual([input[0], own, rest, output])
  const { id: _at, ...text } = plain
  const taken = { quirks: { ...quirks, refusesReasoning: false } }
  expect(sent({ model: 'm', input }, taken)['input']).toEqual([input[0], own, text, rest, output])
})

test('offers no search that nothing pays for, wherever it was declared', () => {
  const search = { type: 'web_search', external_web_access: false }
  const tool = { type: 'custom', name: 'apply_patch', format: { type: 'text' } }
  const input = [
    { type: 'additional_tools', role: 'developer', tools: [search, { ...tool, name: 'other' }] },
    { type: 'tool_search_output', tools: [{ type: 'namespace', name: 'n', tools: [tool, search] }] },
    { role: 'user', content: 'Hi' },
    own,
    call,
    output,
  ]
  const body = { model: 'm', input, tools: [tool, search] }
  expect(sent(body)).toMatchObject({ input, tools: [tool, search] })
  expect(sent(body, { withoutSearch: true })).toMatchObject({
    input: [{ tools: [{ name: 'other' }] }, { tools: [{ tools: [tool] }] }, ...input.slice(2)],
    tools: [tool],
  })
  expect(sent({ ...body, tools: [search] }, { withoutSearch: true })).not.toHaveProperty('tools')
})

test.each([
  ['a vendor’s own tool is chosen', { tool_choice: { type: 'web_search_preview' } }],
  ['all turns are thought of', { reasoning: { context: 'all_turns' } }],
  ['something new is included', { include: ['new_call.results'] }],
  ['an item is of a kind that nobody knows', { input: [{ type: 'new_item', value: 1 }] }],
])('passes fields that only its vendor knows: %s', (_what, members) => {
  expect(sent({ model: 'm', input: 'x', ...members })).toMatchObject(members)
})
