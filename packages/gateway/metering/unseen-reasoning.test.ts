import { describe, expect, it } from 'vitest'
import type { Attempt } from '../context/stages.ts'
import { mayReasonUnseen } from './unseen-reasoning.ts'

interface Asked {
  dialect: string
  /** The model's name at the vendor. */
  name?: string
  stream?: boolean
  reasoning?: object
  thinking?: unknown
  seen?: boolean
}

function mayReason({
  dialect,
  name = 'm',
  stream = true,
  reasoning,
  thinking,
  seen = false,
}: Asked): boolean {
  const request = { stream, reasoning, extensions: thinking === undefined ? {} : { thinking } }
  const attempt = {
    candidate: {
      model: { supportedParameters: ['reasoning'] },
      upstream: { model: name },
      provider: { dialect },
    },
    request: { call: { request } },
  }
  return mayReasonUnseen(attempt as unknown as Attempt, seen)
}

const claude = 'anthropic-messages'
const off = { effort: 'none' }

describe('reasoning that no caller may get to see', () => {
  it.each<Asked>([
    { dialect: 'openai-chat' },
    { dialect: 'google-generate', reasoning: off },
    { dialect: 'deepseek-chat', stream: false },
    { dialect: 'mistral-chat', stream: false },
    { dialect: claude, name: 'claude-sonnet-4-5', reasoning: { effort: 'low' } },
    { dialect: claude, name: 'claude-sonnet-4-5', thinking: { type: 'enabled', budget_tokens: 2_000 } },
    // Later versions think unasked, and some cannot be kept from it.
    { dialect: claude, name: 'claude-haiku-5' },
    { dialect: claude, name: 'claude-sonnet-5-5', thinking: null },
    { dialect: claude, name: 'claude-opus-5-5', reasoning: off },
  ])('%j: some', (asked) => expect(mayReason(asked)).toBe(true))

  it.each<Asked>([
    { dialect: 'openai-chat', seen: true },
    { dialect: 'openai-chat', reasoning: off },
    { dialect: 'deepseek-chat' },
    { dialect: 'mistral-chat' },
    { dialect: 'deepseek-chat', stream: false, seen: true },
    { dialect: 'mistral-chat', stream: false, reasoning: off },
    { dialect: claude, name: 'claude-sonnet-4-5' },
    { dialect: claude, name: 'claude-haiku-5', reasoning: off },
    { dialect: claude, name: 'claude-haiku-5', thinking: { type: 'disabled' } },
  ])('%j: none', (asked) => expect(mayReason(asked)).toBe(false))
})
