import { describe, expect, test } from 'vitest'
import { list, object, text, type Json } from '../oracle/json.ts'
import { scriptedFormats } from '../scripted/scripted-node.ts'
import { asked, callsOf, messageOf, startTrapNode, toolOf, usage } from './trap-node.ts'
import { suiteWorld } from '../../../nodes/suite.ts'

/** A conversation that began at one vendor, with reasoning and tool calls, continues at another. */

/** As long as real ones: an identifier that contains one is longer than other vendors accept. */
const signature = Buffer.from('a signature of one vendor. '.repeat(20)).toString('base64')
const reasoning = { text: 'The tool knows.', signature }
const call = { id: 'Abc123xyz', name: 'get_weather', arguments: { city: 'Rome' } }
const first = { reasoning, text: 'I look.', calls: [call, { ...call, id: 'Def456uvw' }], usage }
const tools = [toolOf('get_weather', { type: 'object', properties: { city: { type: 'string' } } })]

/** Forms of a tool call's identifier that vendors accept. */
const forms: Record<string, RegExp> = {
  openai: /^.{1,64}$/u,
  anthropic: /^[\w-]{1,128}$/u,
  deepseek: /^.{1,64}$/u,
  mistral: /^[a-zA-Z0-9]{9}$/u,
}

const world = await suiteWorld(startTrapNode())

const vendors = scriptedFormats.map(({ vendor }) => vendor)

describe.each(vendors)('from %s', (before) => {
  test.each(vendors.filter((vendor) => vendor !== before))('to %s', async (after) => {
    const answer = await world.ask(before, { tools, reasoning_effort: 'low' }, first)
    const results = callsOf(answer).map(({ id }, index) => ({
      role: 'tool',
      tool_call_id: id,
      content: `result ${index}`,
    }))
    const messages = [...asked('Weather?'), messageOf(answer), ...results]
    const { status, body, sent } = await world.ask(after, { messages, tools, reasoning_effort: 'low' })
    expect(status, JSON.stringify(body)).toBe(200)
    const whole = JSON.stringify(sent)
    // A vendor that is compatible with OpenAI gets even fields that it does not know.
    if (after !== 'moonshot') expect(whole).not.toContain(signature.slice(0, 40))
    expect(whole).toContain('I look.')
    expect(whole.indexOf('result 0')).toBeLessThan(whole.indexOf('result 1'))
    const { calls, answered } = identifiersOf(sent!)
    expect(calls).toEqual(answered)
    if (after === 'gemini') return
    expect(new Set(calls).size).toBe(2)
    for (const id of calls) expect(id).toMatch(forms[after] ?? /./u)
  })
})

/** Identifiers of the calls in a vendor's request, and of their results, in order. */
function identifiersOf(sent: Json): { calls: string[]; answered: string[] } {
  const turns = list(sent['messages'] ?? sent['contents'])
  const parts = turns.flatMap((turn) => list(turn['content'] ?? turn['parts']))
  const messages = list(sent['messages'])
  const calls = [
    ...turns.flatMap((turn) => list(turn['tool_calls'])),
    ...parts.filter((part) => part['type'] === 'tool_use'),
    ...parts.filter((part) => 'functionCall' in part).map((part) => object(part['functionCall'])),
  ]
  const results = [
    ...messages.filter((message) => message['role'] === 'tool').map((one) => one['tool_call_id']),
    ...parts.filter((part) => part['type'] === 'tool_result').map((part) => part['tool_use_id']),
    ...parts
      .filter((part) => 'functionResponse' in part)
      .map((part) => object(part['functionResponse'])['id']),
  ]
  return { calls: calls.map(({ id }) => text(id)), answered: results.map(text) }
}
