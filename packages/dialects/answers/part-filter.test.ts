import { describe, expect, it } from 'vitest'
import { anthropicMessagesCaller } from '../anthropic-messages/caller.ts'
import { openaiChatCaller } from '../openai-chat/caller.ts'
import { generateFormats } from '../registry.ts'
import { bridged } from '../testing/bridged.ts'
import type { PartFilterOptions } from './part-filter.ts'
import { createPartFilter } from './part-filter.ts'
import { openBridge } from './translating-bridge.ts'
import { readWholeAnswer } from './whole-answer.ts'

const head = { id: 'ours', model: 'anthropic/m', created: 1, includeUsage: false }
const anthropic = generateFormats['anthropic-messages']
const text = (content: string): object => ({ type: 'text', text: content })
const call = (name: string, input: object): object => ({ type: 'tool_use', id: `toolu_${name}`, name, input })
const answer = call('turnpike_json_answer', { colour: 'red' })
const preamble = text('Here is the JSON:')

/** What a client assembles from a whole answer with these blocks, and from the equivalent stream. */
function assembleBoth(content: object[], telling: PartFilterOptions): [content: unknown, calls: string[]][] {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content }
  const whole = { ...message, stop_reason: 'tool_use', usage: { input_tokens: 3, output_tokens: 9 } }
  const { body } = readWholeAnswer(openaiChatCaller, anthropic, JSON.stringify(whole), {
    ...head,
    ...telling,
  })
  const answer = JSON.parse(body(undefined, { usd: '0' })) as {
    choices: { message: { content: unknown; tool_calls?: { function: { name: string } }[] } }[]
  }
  const { content: plain, tool_calls: calls = [] } = answer.choices[0]!.message
  return [[plain, calls.map(({ function: called }) => called.name)], streamed(message, content, telling)]
}

function streamed(message: object, content: object[], telling: PartFilterOptions): [string | null, string[]] {
  const events = [
    { type: 'message_start', message: { ...message, content: [], usage: { input_tokens: 3 } } },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ]
  const { text: sent } = bridged(
    (listener) => openBridge(openaiChatCaller, anthropic, { ...head, ...telling }, listener),
    events.map((event) => `data: ${JSON.stringify(event)}\n\n`),
  )
  const deltas = Array.from(sent.matchAll(/^data: (\{.*)$/gmu), ([, json]) => {
    const { choices } = JSON.parse(json!) as {
      choices: { delta: { content?: string; tool_calls?: { function: { name?: string } }[] } }[]
    }
    return choices[0]?.delta ?? {}
  })
  const streamedText = deltas.map(({ content: piece }) => piece ?? '').join('')
  const names = deltas.flatMap(({ tool_calls: calls = [] }) => calls.map((one) => one.function.name ?? ''))
  return [streamedText === '' ? null : streamedText, names.filter((name) => name !== '')]
}

describe('an answer that is not shown in full', () => {
  it.each<[string, object[], string]>([
    ['a word before it', [preamble, answer], '{"colour":"red"}'],
    ['a word behind it', [answer, text('Anything else?')], '{"colour":"red"}'],
    ['a second answer', [answer, call('turnpike_json_answer', { colour: 'blue' })], '{"colour":"red"}'],
    ['no such answer', [text('{"a":'), text('1}')], '{"a":1}'],
  ])('has only its JSON if there is %s', (_what, content, expected) => {
    for (const [actual] of assembleBoth(content, { answerAlone: true })) expect(actual).toBe(expected)
  })

  it("keeps the text beside calls of the caller's tools", () => {
    for (const one of assembleBoth([preamble, call('f', {})], { answerAlone: true }))
      expect(one).toEqual(['Here is the JSON:', ['f']])
  })

  it('has only the first call if the caller accepts one', () => {
    const content = [text('I look.'), call('f', {}), call('g', {}), call('h', {})]
    for (const one of assembleBoth(content, { oneCall: true })) expect(one).toEqual(['I look.', ['f']])
    for (const one of assembleBoth(content, {})) expect(one).toEqual(['I look.', ['f', 'g', 'h']])
  })

  it('has the first call of each choice', () => {
    const parts = createPartFilter({ oneCall: true })!
    const begun = [0, 1, 0, 1].flatMap((choice, block) =>
      parts.filter({ type: 'block-start', choice, block, kind: 'tool-call' }),
    )
    expect(begun).toHaveLength(2)
  })

  it('follows the same rule for callers of Messages', () => {
    const response = {
      candidates: [{ content: { parts: ['f', 'g'].map((name) => ({ functionCall: { name, args: {} } })) } }],
    }
    const finished = { candidates: [{ ...response.candidates[0], finishReason: 'STOP' }] }
    const { body, outputText } = readWholeAnswer(
      anthropicMessagesCaller,
      generateFormats['google-generate'],
      JSON.stringify(finished),
      { ...head, oneCall: true },
    )
    const { content } = JSON.parse(body(undefined, { usd: '0' })) as { content: { name: string }[] }
    expect(content.map(({ name }) => name)).toEqual(['f'])
    // What the caller does not see was generated, and is counted.
    expect(outputText).toContain('g')
  })
})
