import { describe, expect, test } from 'vitest'
import { list, object, type Json } from '../oracle/json.ts'
import type { ScriptedAnswer } from '../scripted/scripted-answer.ts'
import { scriptedFormats } from '../scripted/scripted-node.ts'
import { asked, calledOf, callsOf, finishOf, messageOf, startTrapNode, toolOf, usage } from './trap-node.ts'
import { suiteWorld } from '../../../nodes/suite.ts'

const reasoning = { text: 'I look.', signature: 'c2lnbmF0dXJl' }
const twoCalls = [
  { id: 'callOne01', name: 'get_weather', arguments: { city: 'Paris' } },
  { id: 'callTwo02', name: 'get_weather', arguments: { city: 'Rome' } },
]
const thoughtful: ScriptedAnswer = { reasoning, text: 'I look.', calls: twoCalls, usage }
const tools = [toolOf('get_weather', { type: 'object', properties: { city: { type: 'string' } } })]
const vendors = scriptedFormats.map(({ vendor }) => vendor)

const world = await suiteWorld(startTrapNode())

describe('calls by the model', () => {
  test.each(vendors)('indexes of tool calls count tool calls only: %s', async (vendor) => {
    const answer = await world.ask(vendor, { tools, stream: true }, thoughtful)
    const indexes = answer.chunks
      .flatMap((chunk) => list(object(list(chunk['choices'])[0]?.['delta'])['tool_calls']))
      .map((call) => call['index'])
    expect(new Set(indexes)).toEqual(new Set([0, 1]))
    expect(callsOf(answer).map((call) => JSON.parse(call.arguments) as unknown)).toEqual([
      { city: 'Paris' },
      { city: 'Rome' },
    ])
  })

  test('several Google calls in one chunk', async () => {
    const answer = await world.ask('gemini', { tools, stream: true }, { calls: twoCalls, usage })
    const calls = callsOf(answer)
    expect(calls.map(({ name }) => name)).toEqual(['get_weather', 'get_weather'])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
  })

  test.each(vendors)('a tool without arguments is called with {}: %s', async (vendor) => {
    const scriptedCall = { calls: [{ id: 'callNone1', name: 'get_time', arguments: {} }], usage }
    for (const stream of [true, false]) {
      const [call] = callsOf(await world.ask(vendor, { tools: [toolOf('get_time')], stream }, scriptedCall))
      expect(call).toMatchObject({ name: 'get_time', arguments: '{}' })
    }
  })

  test.each([true, false])('Google’s STOP after a call becomes tool_calls (stream: %s)', async (stream) => {
    expect(finishOf(await world.ask('gemini', { tools, stream }, thoughtful))).toBe('tool_calls')
  })
})

/** A conversation whose tool calls were answered in this order. */
function answered(calls: Json[], results: Json[]): Json[] {
  return [...asked('Weather?'), { role: 'assistant', content: null, tool_calls: calls }, ...results]
}

function resultOf(id: string, content: unknown): Json {
  return { role: 'tool', tool_call_id: id, content }
}

describe('calls and results that are sent back', () => {
  test('identifiers generated for Google are matched, whatever the order of the results', async () => {
    const first = await world.ask('gemini', { tools }, { calls: twoCalls, usage })
    const [paris, rome] = callsOf(first)
    const calls = [calledOf(paris!.id, paris!.name), calledOf(rome!.id, rome!.name)]
    const messages = answered(calls, [resultOf(rome!.id, '30'), resultOf(paris!.id, '20')])
    const { sent } = await world.ask('gemini', { tools, messages })
    const results = list(list(sent!['contents'])[2]!['parts']).map((part) => object(part['functionResponse']))
    expect(results).toMatchObject([
      { name: 'get_weather', response: { output: '20' } },
      { name: 'get_weather', response: { output: '30' } },
    ])
  })

  test("Mistral's identifiers have nine characters, whatever vendor generated them", async () => {
    const ids = ['toolu_01A09q90qw90lq917835lq9', 'call_abc', 'Abc123xyz']
    const calls = ids.map((id) => calledOf(id, 'get_weather'))
    const results = ids.map((id, index) => resultOf(id, String(index)))
    const { sent } = await world.ask('mistral', { tools, messages: answered(calls, results) })
    const [, answer, ...told] = list(sent!['messages'])
    const callIds = list(answer!['tool_calls']).map(({ id }) => id)
    expect(new Set(callIds).size).toBe(3)
    for (const id of callIds) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/u)
    expect(callIds[2]).toBe('Abc123xyz')
    expect(told.map((one) => one['tool_call_id'])).toEqual(callIds)
  })

  test('consecutive tool results are one turn for Anthropic and Google', async () => {
    const calls = [calledOf('call_1', 'get_weather'), calledOf('call_2', 'get_weather')]
    const messages = answered(calls, [resultOf('call_1', 'a'), resultOf('call_2', 'b'), ...asked('And?')])
    const anthropic = await world.ask('anthropic', { tools, messages })
    const turns = list(anthropic.sent!['messages'])
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(list(turns[2]!['content']).map(({ type }) => type)).toEqual(['tool_result', 'tool_result', 'text'])
    const google = await world.ask('gemini', { tools, messages })
    const contents = list(google.sent!['contents'])
    expect(list(contents[2]!['parts'])).toHaveLength(2)
  })

  test('a tool result may be a list of texts and images', async () => {
    const url = 'data:image/png;base64,iVBORw0KGgo='
    const content = [
      { type: 'text', text: 'a map' },
      { type: 'image_url', image_url: { url } },
    ]
    const messages = answered([calledOf('call_1', 'get_weather')], [resultOf('call_1', content)])
    const anthropic = await world.ask('anthropic', { tools, messages })
    const [result] = list(list(anthropic.sent!['messages'])[2]!['content'])
    expect(list(result!['content'])).toMatchObject([
      { type: 'text', text: 'a map' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png' } },
    ])
    const google = await world.ask('gemini', { tools, messages })
    const sent = JSON.stringify(google.sent)
    expect(sent).toContain('a map')
    expect(sent).toContain('"mimeType":"image/png"')
  })

  test.each(['anthropic', 'gemini'])('a call without a result gets one: %s', async (vendor) => {
    const messages = answered([calledOf('call_1', 'get_weather')], asked('Never mind.'))
    const { status, sent } = await world.ask(vendor, { tools, messages })
    expect(status).toBe(200)
    const turns = list(sent!['messages'] ?? sent!['contents'])
    const behind = turns.slice(2).flatMap((turn) => list(turn['content'] ?? turn['parts']))
    const results = behind.filter((part) => part['type'] === 'tool_result' || 'functionResponse' in part)
    expect(results).toHaveLength(1)
    expect(JSON.stringify(behind)).toContain('Never mind.')
  })

  test('a failed tool is reported as failed', async () => {
    const failed = { ...resultOf('call_1', 'no such city'), is_error: true }
    const messages = answered([calledOf('call_1', 'get_weather')], [failed])
    const anthropic = await world.ask('anthropic', { tools, messages })
    const [result] = list(list(anthropic.sent!['messages'])[2]!['content'])
    expect(result).toMatchObject({ type: 'tool_result', is_error: true })
    const google = await world.ask('gemini', { tools, messages })
    const [part] = list(list(google.sent!['contents'])[2]!['parts'])
    expect(part).toMatchObject({ functionResponse: { response: { error: 'no such city' } } })
  })
})

describe('options for tools', () => {
  test('limit the model to one call at a time', async () => {
    const request = { tools, parallel_tool_calls: false }
    const anthropic = await world.ask('anthropic', request)
    expect(anthropic.sent).toMatchObject({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } })
    for (const vendor of ['openai', 'mistral']) {
      const { sent } = await world.ask(vendor, request)
      expect(sent).toMatchObject({ parallel_tool_calls: false })
    }
  })

  test.each(['gemini', 'deepseek'])('are cut to one at a time if there are several: %s', async (vendor) => {
    const request = { tools, parallel_tool_calls: false }
    for (const stream of [true, false]) {
      const answer = await world.ask(vendor, { ...request, stream }, thoughtful)
      expect(JSON.stringify(answer.sent)).not.toContain('parallel')
      expect(callsOf(answer).map((call) => JSON.parse(call.arguments) as unknown)).toEqual([
        { city: 'Paris' },
      ])
      expect([finishOf(answer), messageOf(answer)['content']]).toEqual(['tool_calls', 'I look.'])
      expect(answer.headers.get('x-turnpike-dropped')).toBeNull()
    }
  })

  test.each([
    ['none', { type: 'none' }, 'NONE', 'none'],
    ['required', { type: 'any' }, 'ANY', 'any'],
  ])('include tool_choice %s', async (choice, anthropic, google, mistral) => {
    const request = { tools, tool_choice: choice }
    expect((await world.ask('anthropic', request)).sent).toMatchObject({ tool_choice: anthropic })
    const { sent } = await world.ask('gemini', request)
    const config = object(object(sent!['toolConfig'])['functionCallingConfig'])
    expect(config['mode']).toBe(google)
    expect((await world.ask('mistral', request)).sent).toMatchObject({ tool_choice: mistral })
    expect((await world.ask('deepseek', request)).sent).toMatchObject({ tool_choice: choice })
  })

  test.each(vendors)('include tool_choice auto, which is the default everywhere: %s', async (vendor) => {
    const { status, sent } = await world.ask(vendor, { tools, tool_choice: 'auto' })
    expect(status).toBe(200)
    expect(JSON.stringify(sent)).not.toMatch(/"(any|required|ANY|none|NONE)"/u)
  })

  test('include tool_choice by name', async () => {
    const request = { tools, tool_choice: { type: 'function', function: { name: 'get_weather' } } }
    const anthropic = await world.ask('anthropic', request)
    expect(anthropic.sent).toMatchObject({ tool_choice: { type: 'tool', name: 'get_weather' } })
    const google = await world.ask('gemini', request)
    const named = { mode: 'ANY', allowedFunctionNames: ['get_weather'] }
    expect(google.sent).toMatchObject({ toolConfig: { functionCallingConfig: named } })
    for (const vendor of ['openai', 'mistral', 'deepseek'])
      expect((await world.ask(vendor, request)).sent).toMatchObject({ tool_choice: request.tool_choice })
  })
})
