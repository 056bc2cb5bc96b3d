import { describe, expect, it } from 'vitest'
import type { Attempt } from '../context/stages.ts'
import { mayReasonUnseen } from './unseen-reasoning.ts'

interface Asked {
  format: string
  /** The model's name at the vendor. */
  name?: string
  stream?: boolean
  reasoning?: object
  thinking?: unknown
  seen?: boolean
}

function mayReason({ format, name = 'm', stream = true, reasoning, thinking, seen = false }: Asked): boolean {
  const request = { stream, reasoning, extensions: thinking === undefined ? {} : { thinking } }
  const attempt = {
    candidate: {
      model: { supportedParameters: ['reasoning'] },
      upstream: { model: name },
      provider: { format },
    },
    request: { call: { request } },
  }
  return mayReasonUnseen(attempt as unknown as Attempt, seen)
}

const claude = 'anthropic-messages'
const off = { effort: 'none' }

describe('reasoning that no caller may get to see', () => {
  it.each<Asked>([
    { format: 'openai-chat' },
    { format: 'google-generate', reasoning: off },
    { format: 'deepseek-chat', stream: false },
    { format: 'mistral-chat', stream: false },
    { format: claude, name: 'claude-sonnet-4-5', reasoning: { effort: 'low' } },
    { format: claude, name: 'claude-sonnet-4-5', thinking: { type: 'enabled', budget_tokens: 2_000 } },
    // Later versions think unasked, and some cannot be kept from it.
    { format: claude, name: 'claude-haiku-5' },
    { format: claude, name: 'claude-sonnet-5-5', thinking: null },
    { format: claude, name: 'claude-opus-5-5', reasoning: off },
  ])('%j: some', (asked) => expect(mayReason(asked)).toBe(true))

  it.each<Asked>([
    { format: 'openai-chat', seen: true },
    { format: 'openai-chat', reasoning: off },
    { format: 'deepseek-chat' },
    { format: 'mistral-chat' },
    { format: 'deepseek-chat', stream: false, seen: true },
    { format: 'mistral-chat', stream: false, reasoning: off },
    { format: claude, name: 'claude-sonnet-4-5' },
    { format: claude, name: 'claude-haiku-5', reasoning: off },
    { format: claude, name: 'claude-haiku-5', thinking: { type: 'disabled' } },
  ])('%j: none', (asked) => expect(mayReason(asked)).toBe(false))
})
