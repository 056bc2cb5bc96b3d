import type { ModelRequest } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../testing/refusal.ts'
import { parseRequest } from '../../openai-chat/caller/request.ts'
import { targetOf } from '../../testing/target.ts'
import { formatRequest } from './request.ts'

const user = { role: 'user', content: 'hi' }
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tool = (name: string, more: object = {}): object => ({
  type: 'function',
  function: { name, parameters: schema, ...more },
})
const call = { id: 'weather_1', type: 'function', function: { name: 'weather', arguments: '{"city":"X"}' } }

function parsed(body: object): ModelRequest {
  return parseRequest({ model: 'm', messages: [user], ...body }).request
}

function sent(body: object, model = 'command-a-03-2025'): Record<string, unknown> {
  return formatRequest(parsed(body), targetOf('cohere-chat', model, 8_000))
}

const thinker = 'command-a-reasoning-08-2025'

describe('a request to Cohere', () => {
  it("has the settings in Cohere's form", () => {
    const body = { stop: ['END'], top_p: 0.5, top_k: 7, max_tokens: 50, seed: 3, temperature: 1, user: 'ann' }
    expect(sent(body)).toEqual({
      model: 'command-a-03-2025',
      messages: [user],
      stream: false,
      stop_sequences: ['END'],
      p: 0.5,
      k: 7,
      max_tokens: 50,
      seed: 3,
      temperature: 1,
    })
  })

  it.each([
    [1, 0.99],
    [0, 0.01],
    [0.3, 0.3],
  ])('has a top_p of %s as %s', (top_p, p) => expect(sent({ top_p })).toMatchObject({ p }))

  it("passes Cohere's own fields", () => {
    const own = { documents: ['a'], citation_options: { mode: 'off' }, safety_mode: 'STRICT' }
    expect(sent(own)).toMatchObject(own)
  })

  it.each([
    [{ temperature: 1.1 }, 'temperature'],
    [{ frequency_penalty: -0.5 }, 'frequency_penalty'],
    [{ presence_penalty: 1.5 }, 'presence_penalty'],
    [{ tools: [tool('f')], response_format: { type: 'json_object' } }, 'response_format.type'],
    [
      {
        tools: [tool('f')],
        response_format: { type: 'json_schema', json_schema: { name: 's', schema } },
      },
      'response_format.json_schema',
    ],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ tools: [tool('f')], tool_choice: { type: 'function', function: { name: 'g' } } }, 'tool_choice'],
    [{ reasoning_effort: 'very' }, 'reasoning_effort'],
    [
      {
        messages: [
          { role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://a.test' } }] },
        ],
      },
      'messages[0].content[0]',
    ],
  ])('is refused by the name of the field: %j', (body, param) => {
    expect(() => sent(body)).toThrow(refusal(param))
  })

  it('has a schema in its own place', () => {
    const body = {
      response_format: { type: 'json_schema', json_schema: { name: 's', schema, strict: true } },
    }
    expect(sent(body)['response_format']).toEqual({ type: 'json_object', json_schema: schema })
  })
})

describe('tools for Cohere', () => {
  const tools = [tool('f'), tool('g')]

  it.each([
    ['auto', undefined, 2],
    ['none', 'NONE', 2],
    ['required', 'REQUIRED', 2],
    [{ type: 'function', function: { name: 'g' } }, 'REQUIRED', 1],
  ])('are chosen by %j', (tool_choice, choice, offered) => {
    const body = sent({ tools, tool_choice })
    expect(body['tool_choice']).toBe(choice)
    expect(body['tools']).toHaveLength(offered)
  })

  it('are strict if all of them can be', () => {
    expect(sent({ tools: [tool('f', { strict: true })] })).toMatchObject({ strict_tools: true })
    expect(sent({ tools: [tool('f', { strict: true }), tool('g')] })).not.toHaveProperty('strict_tools')
    const free = { strict: true, parameters: { type: 'object', properties: {} } }
    expect(sent({ tools: [tool('f', free)] })).not.toHaveProperty('strict_tools')
  })
})

describe('a conversation for Cohere', () => {
  const answered = { role: 'assistant', content: '', reasoning_content: 'I will look.', tool_calls: [call] }
  const result = { role: 'tool', tool_call_id: 'weather_1', content: '7 °C' }

  it('has the plan before its calls', () => {
    const { messages } = sent({ messages: [user, answered, result] })
    expect(messages).toEqual([
      user,
      { role: 'assistant', tool_calls: [call], tool_plan: 'I will look.' },
      result,
    ])
  })

  it('has the thinking of a model that thinks', () => {
    const { messages } = sent({ messages: [user, answered, result] }, thinker)
    expect(messages).toEqual([
      user,
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'I will look.' }], tool_calls: [call] },
      result,
    ])
  })

  it('has instructions as `system`, images, and documents of text', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } }
    const file = { file_data: 'data:text/plain;base64,SGk=', filename: 'a.txt' }
    const content = [{ type: 'text', text: 'See' }, image, { type: 'file', file }]
    const { messages } = sent({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content },
      ],
    })
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          image,
          { type: 'text', text: '<document title="a.txt">\nHi\n</document>' },
        ],
      },
    ])
  })

  it('omits an empty turn', () => {
    expect(sent({ messages: [user, { role: 'assistant', content: '' }, user] })['messages']).toEqual([
      user,
      user,
    ])
  })
})

describe("the thinking of Cohere's models", () => {
  it.each([
    [{ reasoning_effort: 'none' }, { type: 'disabled' }],
    [{ reasoning: { max_tokens: 3_000 } }, { type: 'enabled', token_budget: 3_000 }],
    [{ reasoning_effort: 'low' }, { type: 'enabled', token_budget: 2_048 }],
    [{ reasoning_effort: 'high' }, { type: 'enabled', token_budget: 4_000 }],
    [
      { reasoning_effort: 'high', max_tokens: 10 },
      { type: 'enabled', token_budget: 5 },
    ],
    [{ reasoning_effort: 'max' }, { type: 'enabled' }],
    [{}, undefined],
  ])('is, for %j, %j', (body, thinking) => {
    expect(sent(body, thinker)['thinking']).toEqual(thinking)
    expect(sent(body)).not.toHaveProperty('thinking')
  })
})
