import { describe, expect, test } from 'vitest'
import { suiteStart } from '../../../nodes/suite.ts'
import { list, object, text, type Json } from '../oracle/json.ts'
import { streamScript, type ScriptedAnswer } from './scripted-answer.ts'
import { allFormats, startScriptedNode } from './scripted-node.ts'
import {
  aiSdk,
  keepsEverything,
  keepsOpenaiFields,
  question,
  toolOutput,
  type Client,
} from './two-turn-clients.ts'

/**
 * A model reasons and calls a tool, and the result is sent back: each vendor must get its own reasoning back
 * in its own way, however little the client knows of it.
 */

const usage = { input: 12, cached: 0, output: 40, reasoning: 25 }
const reasoning = { text: 'The tool „get_weather“ knows.', signature: 'c2lnbmF0dXJlIG9mIGEgc2NyaXB0' }
const call = { id: 'Abc123xyz', name: 'get_weather', arguments: { city: 'Zürich' } }
const firstTurn: ScriptedAnswer = { reasoning, text: 'Let me look.', calls: [call], usage }
const secondTurn: ScriptedAnswer = { text: 'It is 7 °C in Zürich.', usage }

const clients: Record<string, Client> = {
  'openai SDK, all fields kept': keepsEverything,
  "openai SDK, OpenAI's fields kept": keepsOpenaiFields,
  'ai SDK, openai-compatible': aiSdk,
}

/** What the vendor must have received in the second turn; `client` by its name. */
const secondRequests: Record<string, (body: Json, client: string) => void> = {
  openai: ({ messages }) => {
    const [asked, answered, result, ...more] = list(messages)
    expect(more).toEqual([])
    expect(asked).toEqual({ role: 'user', content: question })
    expect(list(answered!['tool_calls'])).toMatchObject([{ id: call.id }])
    // OpenAI itself does not have this field, and has never sent one.
    expect(answered).not.toHaveProperty('reasoning_content')
    expect(result).toEqual({ role: 'tool', tool_call_id: call.id, content: toolOutput })
  },
  moonshot: ({ messages }, client) => {
    const [, answered, result] = list(messages)
    expect(list(answered!['tool_calls'])).toMatchObject([{ id: call.id }])
    expect(answered!['reasoning_content']).toBe(thought(client))
    expect(result).toEqual({ role: 'tool', tool_call_id: call.id, content: toolOutput })
  },
  deepseek: ({ messages }, client) => {
    const [, answered, result] = list(messages)
    // Its reasoning models refuse a turn without its reasoning, but accept an empty one.
    expect(answered!['reasoning_content']).toBe(thought(client) ?? '')
    expect(answered).not.toHaveProperty('reasoning_details')
    expect(list(answered!['tool_calls'])).toMatchObject([{ id: call.id }])
    expect(result).toMatchObject({ role: 'tool', tool_call_id: call.id })
  },
  mistral: ({ messages }, client) => {
    const [, answered, result] = list(messages)
    expect(answered).not.toHaveProperty('reasoning_content')
    expect(answered).not.toHaveProperty('reasoning_details')
    const thoughts = list(answered!['content']).filter((part) => part['type'] === 'thinking')
    expect(thoughts).toMatchObject(
      thought(client) === undefined ? [] : [{ thinking: [{ type: 'text', text: reasoning.text }] }],
    )
    const [given] = list(answered!['tool_calls'])
    expect(given!['id']).toMatch(/^[a-zA-Z0-9]{9}$/u)
    expect(result!['tool_call_id']).toBe(given!['id'])
  },
  bedrock: ({ messages }, client) => {
    const [, answered, result, ...more] = list(messages)
    expect(more).toEqual([])
    const { text: thoughtText, signature } = reasoning
    const signed = { reasoningContent: { reasoningText: { text: thoughtText, signature } } }
    const { id: toolUseId, name, arguments: input } = call
    const expectedContent = [{ text: firstTurn.text }, { toolUse: { toolUseId, name, input } }]
    expect(answered!['content']).toEqual(
      client.includes('all fields') ? [signed, ...expectedContent] : expectedContent,
    )
    const content = [{ text: toolOutput }]
    expect(result).toEqual({ role: 'user', content: [{ toolResult: { toolUseId, content } }] })
  },
  'bedrock-claude': (body, client) => {
    expect(body).not.toHaveProperty('model')
    expect(body).not.toHaveProperty('stream')
    expect(body['anthropic_version']).toBe('bedrock-2023-05-31')
    secondRequests['anthropic']!(body, client)
  },
  cohere: ({ messages }, client) => {
    const [, answered, result] = list(messages)
    const expectedText = { type: 'text', text: firstTurn.text }
    const thinking = { type: 'thinking', thinking: reasoning.text }
    expect(answered!['content']).toEqual(
      thought(client) === undefined ? expectedText.text : [thinking, expectedText],
    )
    expect(list(answered!['tool_calls'])).toMatchObject([{ id: call.id }])
    expect(result).toEqual({ role: 'tool', tool_call_id: call.id, content: toolOutput })
  },
  anthropic: ({ messages }, client) => {
    const [, answered, result, ...more] = list(messages)
    expect(more).toEqual([])
    const blocks = list(answered!['content'])
    const signed = { type: 'thinking', thinking: reasoning.text, signature: reasoning.signature }
    const expectedBlocks = [
      { type: 'text', text: firstTurn.text },
      { type: 'tool_use', id: call.id, name: call.name, input: call.arguments },
    ]
    // An unsigned block would be refused, so a client that forgets the signature loses the block.
    expect(blocks).toEqual(client.includes('all fields') ? [signed, ...expectedBlocks] : expectedBlocks)
    expect(result).toMatchObject({ role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id }] })
  },
  gemini: ({ contents }) => {
    const [, answered, result, ...more] = list(contents)
    expect(more).toEqual([])
    const [called] = list(answered!['parts']).filter((part) => part['functionCall'] !== undefined)
    expect(answered!['role']).toBe('model')
    expect(called!['thoughtSignature']).toBe(reasoning.signature)
    expect(called!['functionCall']).toMatchObject({ name: call.name, args: call.arguments })
    expect(result!['role']).toBe('user')
    expect(list(result!['parts'])).toMatchObject([
      { functionResponse: { name: call.name, response: { celsius: 7 } } },
    ])
  },
}

/** Reasoning that a client sends back as text. */
function thought(client: string): string | undefined {
  return client.includes("OpenAI's fields") ? undefined : reasoning.text
}

describe.each(allFormats)('$vendor', ({ vendor, says }) => {
  const world = suiteStart(startScriptedNode)
  const modelName = (): string => world.names.find((name) => name.startsWith(vendor))!

  test.each(Object.entries(clients))('%s', async (name, client) => {
    world.vendor.journal.clear()
    world.vendor.next({ script: streamScript(says, firstTurn), split: { seed: 3 } })
    world.vendor.next({ script: streamScript(says, secondTurn), split: { seed: 4 } })
    const turns = await client(world, modelName())
    expect(turns).toEqual({
      reasoning: reasoning.text,
      calls: [{ name: call.name, arguments: call.arguments }],
      answer: text(secondTurn.text),
    })
    const bodies = world.vendor.journal.entries.map(({ request }) =>
      object(JSON.parse(request.body.toString('utf8'))),
    )
    expect(bodies).toHaveLength(2)
    secondRequests[vendor]!(bodies[1]!, name)
  })
})
