import { describe, expect, it, test } from 'vitest'
import { refusal } from '../testing/refusal.ts'
import { plainQuirks } from '../testing/plain-quirks.ts'
import { scanObject } from '../json/scan.ts'
import { formatProofs } from './caller/reasoning-proof.ts'
import { parseRequest } from './caller/request.ts'
import { spliceRequest } from './pass-through/request.ts'

const to = { model: 'google/gemini-2.5-flash', stream: false }
const hello = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }

function spliced(body: object, maxOutputTokens?: number): unknown {
  const bytes = Buffer.from(JSON.stringify(body))
  const sent = spliceRequest({
    body: bytes,
    members: scanObject(bytes).members,
    call: parseRequest(body, to),
    model: 'gemini-2.5-flash',
    reasons: true,
    maxOutputTokens,
    asUnderstood: [],
    quirks: plainQuirks,
  })
  return JSON.parse(sent.toString())
}

describe('both spellings of a name', () => {
  const camel = {
    ...hello,
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    generationConfig: { maxOutputTokens: 7, thinkingConfig: { thinkingBudget: 0 } },
  }
  const snake = {
    contents: { parts: { text: 'Hello' } },
    system_instruction: { parts: [{ text: 'Be brief.' }] },
    generation_config: { max_output_tokens: 7, thinking_config: { thinking_budget: 0 } },
  }

  it('mean the same', () => {
    expect(parseRequest(snake, to).request).toEqual(parseRequest(camel, to).request)
  })

  it.each([
    [{ ...camel, system_instruction: {} }, 'systemInstruction'],
    [
      { ...hello, generationConfig: { maxOutputTokens: 7, max_output_tokens: 9 } },
      'generationConfig.maxOutputTokens',
    ],
    [{ contents: [{ parts: [{ inlineData: {}, inline_data: {} }] }] }, 'contents[0].parts[0].inlineData'],
  ])('are refused together', (body, param) => {
    expect(() => parseRequest(body, to)).toThrow(refusal(param))
  })

  it('stay as they are when the output bound is lowered', () => {
    expect(spliced(snake, 5)).toEqual({
      ...snake,
      generation_config: { ...snake.generation_config, max_output_tokens: 5 },
    })
    expect(spliced(hello, 5)).toEqual({ ...hello, generationConfig: { maxOutputTokens: 5 } })
  })
})

describe('thoughts of another vendor', () => {
  const proof = formatProofs([
    { head: { format: 'anthropic-claude-v1' }, end: { signature: 'c2ln' }, text: 'I thought.' },
  ])
  const call = { functionCall: { id: 'c1', name: 'f', args: {} }, thoughtSignature: proof }
  const body = {
    contents: [
      ...hello.contents,
      { role: 'model', parts: [{ text: 'I thought.', thought: true }] },
      { role: 'model', parts: [{ text: 'So.', thoughtSignature: proof }, call] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: '7' } } }] },
    ],
  }

  it('return to it once, with their text and in one turn', () => {
    const { messages } = parseRequest(body, to).request
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(messages[1]!.content[0]).toEqual({
      kind: 'reasoning',
      text: 'I thought.',
      format: 'anthropic-claude-v1',
      signature: 'c2ln',
    })
    expect(messages[2]).toMatchObject({ toolCallId: 'c1', content: [{ kind: 'text', text: '7' }] })
  })

  it('are not sent to Google', () => {
    const text = JSON.stringify(spliced(body))
    expect(text).not.toContain('dHVybnBpa2Uu')
    expect(text).toContain('skip_thought_signature_validator')
  })
})

test("converts Google's schemas to JSON Schema for other vendors", () => {
  const parameters = {
    type: 'OBJECT',
    properties: {
      type: { type: 'STRING', nullable: true },
      list: { type: 'ARRAY', minItems: '1', items: {} },
    },
    propertyOrdering: ['type'],
  }
  const tools = [{ functionDeclarations: [{ name: 'f', parameters }] }]
  expect(parseRequest({ ...hello, tools }, to).request.tools).toEqual([
    {
      kind: 'function',
      name: 'f',
      parameters: {
        type: 'object',
        properties: { type: { type: ['string', 'null'] }, list: { type: 'array', minItems: 1, items: {} } },
      },
    },
  ])
})
