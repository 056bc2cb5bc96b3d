import { describe, expect, it } from 'vitest'
import { plainQuirks } from '../../testing/plain-quirks.ts'
import { parseRequest } from '../../anthropic-messages/caller/request.ts'
import { targetOf } from '../../testing/target.ts'
import type { VendorQuirks } from '../../vendor-quirks.ts'
import type { Target } from '../../vendor.ts'
import { openaiChat } from '../vendor.ts'

const quirks: VendorQuirks = { ...plainQuirks, takesStreamOptions: true }
const cache_control = { type: 'ephemeral' }

/** An agent's request in Anthropic's format, as a vendor of OpenAI's format gets it. */
function translate(
  body: object,
  more: Partial<VendorQuirks> = {},
  supportedParameters: string[] = [],
): Record<string, unknown> {
  const { request } = parseRequest({
    model: 'p/m',
    max_tokens: 9_000,
    messages: [{ role: 'user', content: 'Hi' }],
    ...body,
  })
  const target: Target = {
    ...targetOf('openai-chat', 'm', 10_000),
    supportedParameters,
    quirks: { ...quirks, ...more },
  }
  return openaiChat.operations.generate.formatRequest(request, target)
}

describe("a request in another format, sent to a vendor of OpenAI's", () => {
  it('has its output bound under the name that the vendor and model know', () => {
    expect(translate({})).toMatchObject({ model: 'm', max_tokens: 9_000 })
    expect(translate({}, { outputBoundField: 'max_completion_tokens' })).toMatchObject({
      max_completion_tokens: 9_000,
    })
    const word = { reasoningBoundField: 'max_completion_tokens' } as const
    expect(translate({}, word, ['reasoning'])).toMatchObject({ max_completion_tokens: 9_000 })
    expect(translate({}, word)).toMatchObject({ max_tokens: 9_000 })
    expect(translate({}, word)).not.toHaveProperty('max_completion_tokens')
  })

  it('shortens a user and a call id to the length that OpenAI accepts', () => {
    const named = (user_id: string) => translate({ metadata: { user_id } })['user']
    const long = JSON.stringify({
      device_id: 'f'.repeat(64),
      session_id: 'b823d822-d587-4fd2-8199-e77e6feb27c2',
    })
    expect(named('ann')).toBe('ann')
    expect(named('x'.repeat(64))).toBe('x'.repeat(64))
    expect(named(long)).toMatch(/^[\da-f]{64}$/)
    expect(named(long)).toBe(named(long))
    expect(named(long)).not.toBe(named(`${long} `))
    const called = (id: string): unknown[] => {
      const call = { type: 'tool_use', id, name: 'look', input: {} }
      const result = { type: 'tool_result', tool_use_id: id, content: 'x' }
      const turns = [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [call] },
        { role: 'user', content: [result] },
      ]
      const [, answered, mediaMessage] = translate({ messages: turns })['messages'] as Record<
        string,
        unknown
      >[]
      return [(answered!['tool_calls'] as { id: string }[])[0]!.id, mediaMessage!['tool_call_id']]
    }
    expect(called('toolu_01')).toEqual(['toolu_01', 'toolu_01'])
    const [id, answered] = called('x'.repeat(41))
    expect(id).toMatch(/^call_[\da-f]{32}$/)
    expect(answered).toBe(id)
  })

  it("asks for a stream's usage if the vendor accepts that option", () => {
    expect(translate({ stream: true })['stream_options']).toEqual({ include_usage: true })
    expect(translate({ stream: true }, { takesStreamOptions: false })).not.toHaveProperty('stream_options')
  })

  it('has an effort instead of a budget if the model thinks', () => {
    const thinking = { type: 'enabled', budget_tokens: 8_000 }
    expect(translate({ thinking }, {}, ['reasoning'])).toMatchObject({ reasoning_effort: 'medium' })
    expect(translate({ thinking }, {}, ['reasoning'])).not.toHaveProperty('reasoning')
    expect(translate({ thinking })).not.toHaveProperty('reasoning_effort')
    expect(translate({ thinking }, { takesOpenRouterWords: true })).toMatchObject({
      reasoning: { max_tokens: 8_000 },
    })
  })

  it('has cache marks and proofs of thoughts for OpenRouter only', () => {
    const body = {
      system: [{ type: 'text', text: 'Be kind.', cache_control }],
      tools: [{ name: 't', input_schema: { type: 'object' }, cache_control }],
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
            { type: 'thinking', thinking: 'plain', signature: '' },
            { type: 'tool_use', id: 'call_1', name: 't', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', is_error: true, content: 'no', cache_control },
          ],
        },
      ],
    }
    const text = JSON.stringify(translate(body))
    expect(text).not.toMatch(/cache_control|reasoning_details|is_error|c2ln/)
    expect(text).toContain('"reasoning_content":"plain"')
    expect(JSON.stringify(translate(body, { refusesReasoning: true }))).not.toContain('reasoning_content')
    const router = JSON.stringify(translate(body, { takesOpenRouterWords: true }))
    for (const word of ['cache_control', 'reasoning_details', 'is_error', 'c2ln'])
      expect(router).toContain(word)
  })
})
