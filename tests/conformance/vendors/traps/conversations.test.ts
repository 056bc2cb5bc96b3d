import { describe, expect, test } from 'vitest'
import { list, object, type Json } from '../oracle/json.ts'
import { asked, calledOf, startTrapNode, toolOf } from './trap-node.ts'
import { suiteWorld } from '../../../nodes/suite.ts'

const world = await suiteWorld(startTrapNode())

function turnsOf(sent: Json | undefined): Json[] {
  return list(sent!['messages'] ?? sent!['contents'])
}

const translated = ['anthropic', 'gemini', 'mistral', 'deepseek']

describe('roles', () => {
  test.each(translated)('sends several system messages, also mid-conversation: %s', async (vendor) => {
    const messages = [
      { role: 'system', content: 'First rule.' },
      { role: 'developer', content: 'Second rule.' },
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'Hi.' },
      { role: 'system', content: 'Third rule.' },
      { role: 'user', content: 'Well?' },
    ]
    const { status, sent } = await world.ask(vendor, { messages })
    expect(status).toBe(200)
    const whole = JSON.stringify(sent)
    for (const { content } of messages) expect(whole.split(content)).toHaveLength(2)
    expect(turnsOf(sent).map(({ role }) => role)).not.toContain('developer')
    const instructions = JSON.stringify(sent!['system'] ?? sent!['systemInstruction'] ?? turnsOf(sent))
    expect(instructions.indexOf('First rule.')).toBeLessThan(instructions.indexOf('Second rule.'))
    expect(instructions).toContain('First rule.')
  })

  test.each(['anthropic', 'gemini'])('sends a first message of the assistant: %s', async (vendor) => {
    const messages = [{ role: 'assistant', content: 'Good day!' }, ...asked('Who are you?')]
    const { status, sent } = await world.ask(vendor, { messages })
    expect(status).toBe(200)
    const turns = turnsOf(sent)
    expect(turns.map(({ role }) => role)).toEqual([
      'user',
      vendor === 'gemini' ? 'model' : 'assistant',
      'user',
    ])
    expect(JSON.stringify(turns[1])).toContain('Good day!')
  })

  test.each(['anthropic', 'gemini', 'mistral'])(
    'merges adjacent messages of one role: %s',
    async (vendor) => {
      const messages = [
        ...asked('One.'),
        ...asked('Two.'),
        { role: 'assistant', content: 'Yes.' },
        ...asked('3.'),
      ]
      const { status, sent } = await world.ask(vendor, { messages })
      expect(status).toBe(200)
      expect(JSON.stringify(sent).indexOf('One.')).toBeLessThan(JSON.stringify(sent).indexOf('Two.'))
      if (vendor === 'mistral') return
      const roles = turnsOf(sent).map(({ role }) => role)
      expect(roles.filter((role, at) => role === roles[at - 1])).toEqual([])
    },
  )

  test.each(['anthropic', 'gemini'])('sends instructions alone: %s', async (vendor) => {
    const { status, sent } = await world.ask(vendor, { messages: [{ role: 'system', content: 'Speak.' }] })
    expect(status).toBe(200)
    expect(turnsOf(sent)[0]).toMatchObject({ role: 'user' })
    expect(JSON.stringify(sent)).toContain('Speak.')
  })
})

describe('empty contents', () => {
  test.each(translated)('are not sent for an assistant without text: %s', async (vendor) => {
    for (const content of ['', null, [{ type: 'text', text: '' }]]) {
      const messages = [...asked('Hello?'), { role: 'assistant', content }, ...asked('Are you there?')]
      const { status, sent } = await world.ask(vendor, { messages })
      expect(status).toBe(200)
      const whole = JSON.stringify(turnsOf(sent))
      // DeepSeek takes an empty text, as OpenAI does.
      if (vendor !== 'deepseek') expect(whole).not.toMatch(/"(text|content)":""|"(content|parts)":\[\]/u)
      expect(whole).toContain('Are you there?')
    }
  })

  test('are not sent for an assistant that only called a tool', async () => {
    const calls = [calledOf('call_1', 'get_time')]
    const messages = [
      ...asked('Time?'),
      { role: 'assistant', content: '', tool_calls: calls },
      { role: 'tool', tool_call_id: 'call_1', content: '' },
    ]
    const tools = [toolOf('get_time')]
    const anthropic = await world.ask('anthropic', { messages, tools })
    expect(list(turnsOf(anthropic.sent)[1]!['content']).map(({ type }) => type)).toEqual(['tool_use'])
    const google = await world.ask('gemini', { messages, tools })
    expect(list(turnsOf(google.sent)[1]!['parts'])).toHaveLength(1)
    for (const { sent } of [anthropic, google]) expect(JSON.stringify(sent)).not.toMatch(/"text":""/u)
  })
})

describe("JSON Schema's keywords that Google refuses", () => {
  const parameters = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      unit: { const: 'celsius' },
      days: { type: ['integer', 'null'], exclusiveMinimum: 0 },
      place: { $ref: '#/$defs/place' },
    },
    required: ['place'],
    additionalProperties: false,
    $defs: { place: { type: 'object', properties: { city: { type: 'string', format: 'city' } } } },
  }

  test('are replaced by supported ones, for tools', async () => {
    const { status, sent } = await world.ask('gemini', { tools: [toolOf('get_weather', parameters)] })
    expect(status).toBe(200)
    const [declared] = list(list(sent!['tools'])[0]!['functionDeclarations'])
    expectTaken(object(declared!['parametersJsonSchema'] ?? declared!['parameters']))
  })

  test('are replaced by supported ones, for answers', async () => {
    const json_schema = { name: 'forecast', schema: parameters, strict: true }
    const { status, sent } = await world.ask('gemini', {
      response_format: { type: 'json_schema', json_schema },
    })
    expect(status).toBe(200)
    const generation = object(sent!['generationConfig'])
    expect(generation['responseMimeType']).toBe('application/json')
    expectTaken(object(generation['responseJsonSchema'] ?? generation['responseSchema']))
  })

  function expectTaken(schema: Json): void {
    expect(JSON.stringify(schema)).not.toMatch(/"const":|"\$schema":|"exclusiveMinimum":/u)
    const { unit, days, place } = object(schema['properties'])
    expect(object(unit)['enum']).toEqual(['celsius'])
    expect(JSON.stringify(days)).toMatch(/null/u)
    // A reference is resolved, or to definitions that are sent with it.
    const resolved = JSON.stringify(object(place)['$ref'] === undefined ? place : schema['$defs'])
    expect(resolved).toContain('city')
    expect(schema['required']).toEqual(['place'])
  }
})
