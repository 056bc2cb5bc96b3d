import { describe, expect, it } from 'vitest'
import { refusal } from '../../testing/refusal.ts'
import { formatted } from '../testing/formatted.ts'

const adaptive = { type: 'adaptive', display: 'summarized' }
const thinkingOf = (body: object, model?: string): unknown[] => {
  const { thinking, output_config: config } = formatted(body, model)
  return [thinking, (config as { effort?: string } | undefined)?.effort]
}
const effort = (reasoning_effort: string, beside: object = {}): object => ({ reasoning_effort, ...beside })

describe('thinking', () => {
  it.each([
    ['claude-sonnet-4-5', 'low', { type: 'enabled', budget_tokens: 2048 }, undefined],
    ['claude-opus-4-5-20251101', 'xhigh', { type: 'enabled', budget_tokens: 32_000 }, undefined],
    ['claude-3-7-sonnet-20250219', 'minimal', { type: 'enabled', budget_tokens: 1024 }, undefined],
    ['claude-3-5-sonnet-20241022', 'high', undefined, undefined],
    ['claude-sonnet-4-6', 'xhigh', adaptive, 'high'],
    ['claude-opus-4-6', 'max', adaptive, 'max'],
    ['claude-opus-4-8', 'minimal', adaptive, 'low'],
    ['claude-opus-5', 'xhigh', adaptive, 'xhigh'],
    ['claude-haiku-5-5', 'medium', adaptive, 'medium'],
    ['anthropic.claude-opus-4-6-v1', 'low', adaptive, 'low'],
    ['kimi-k2', 'low', { type: 'enabled', budget_tokens: 2048 }, undefined],
  ])('of %s with the effort %s', (model, wish, thinking, level) => {
    expect(thinkingOf(effort(wish), model)).toEqual([thinking, level])
  })

  it.each([
    ['claude-sonnet-4-5', undefined, undefined],
    ['claude-opus-4-8', undefined, undefined],
    ['claude-opus-5', { type: 'disabled' }, undefined],
    ['claude-haiku-5-5', { type: 'disabled' }, undefined],
    ['claude-sonnet-5-5', { type: 'between_tools' }, undefined],
    ['claude-opus-5-5', undefined, 'low'],
    ['claude-fable-5', undefined, 'low'],
    ['claude-mythos-preview', undefined, 'low'],
  ])('of %s can be turned off, or nearly', (model, thinking, level) => {
    expect(thinkingOf(effort('none'), model)).toEqual([thinking, level])
    expect(thinkingOf({}, model)).toEqual([undefined, undefined])
  })

  it('may have a budget if the model has budgets', () => {
    const wish = { reasoning: { max_tokens: 5000 } }
    const enabled = { type: 'enabled', budget_tokens: 5000 }
    expect(thinkingOf(wish)).toEqual([enabled, undefined])
    expect(thinkingOf(wish, 'claude-opus-4-6')).toEqual([enabled, undefined])
    expect(thinkingOf(wish, 'claude-opus-5')).toEqual([adaptive, 'medium'])
  })

  it('leaves room for the answer', () => {
    expect(thinkingOf(effort('high', { max_tokens: 4096 }))).toEqual([
      { type: 'enabled', budget_tokens: 2048 },
      undefined,
    ])
    expect(thinkingOf(effort('high', { max_tokens: 2000 }))).toEqual([undefined, undefined])
  })

  it.each([1023, 4096])('refuses a budget of %d, which does not fit', (max_tokens) => {
    expect(() => formatted({ reasoning: { max_tokens }, max_tokens: 4096 })).toThrow(
      refusal('reasoning.max_tokens'),
    )
  })

  it('is not shown if the caller does not want to see it', () => {
    const [thinking] = thinkingOf({ reasoning: { effort: 'high', exclude: true } }, 'claude-opus-5')
    expect(thinking).toEqual({ type: 'adaptive', display: 'omitted' })
  })

  it("may be set in the vendor's own form", () => {
    const thinking = { type: 'enabled', budget_tokens: 2000 }
    expect(thinkingOf({ thinking, reasoning_effort: 'low' }, 'claude-opus-4-6')).toEqual([thinking, 'low'])
  })

  it('must have a known effort', () => {
    expect(() => formatted(effort('tremendous'))).toThrow(refusal('reasoning_effort'))
  })
})

describe('a model that thinks within a budget', () => {
  const call = { id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } }
  const tools = [{ type: 'function', function: { name: 'f' } }]
  const result = { role: 'tool', tool_call_id: 'x', content: 'done' }
  const conversation = (beside: object): object => ({
    tools,
    reasoning_effort: 'low',
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: null, tool_calls: [call], ...beside },
      result,
    ],
  })
  const detail = { type: 'reasoning.text', text: 'hm', signature: 's', format: 'anthropic-claude-v1' }

  it('does not think if its last calls came without thinking', () => {
    expect(thinkingOf(conversation({}))).toEqual([undefined, undefined])
    expect(thinkingOf(conversation({ reasoning_details: [detail] }))[0]).toMatchObject({ type: 'enabled' })
    expect(thinkingOf(conversation({}), 'claude-opus-4-6')).toEqual([adaptive, 'low'])
  })

  it('does not think if it must call a tool', () => {
    const forced = { ...effort('low'), tools, tool_choice: 'required' }
    expect(thinkingOf(forced)).toEqual([undefined, undefined])
    expect(formatted({ ...forced, temperature: 0 })['temperature']).toBe(0)
    expect(thinkingOf(effort('low', { response_format: { type: 'json_object' } }))).toEqual([
      undefined,
      undefined,
    ])
    expect(thinkingOf(forced, 'claude-opus-4-8')).toEqual([adaptive, 'low'])
  })
})
