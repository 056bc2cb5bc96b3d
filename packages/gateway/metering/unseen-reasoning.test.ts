import { describe, expect, it } from 'vitest'
import type { Attempt } from '../context/stages.ts'
import { generate } from '../operations/generate/rules.ts'
import { mayBillUnseen } from './unseen-reasoning.ts'

interface Asked {
  format: string
  /** The model's name at the vendor. */
  name?: string
  stream?: boolean
  reasoning?: object
  thinking?: unknown
  seen?: boolean
  tools?: object[]
}

const served = [{ types: ['web_search_20250305'], chargedBy: 'web_search', brings: 100 }]

function mayReason({ format, name = 'm', stream = true, seen = false, ...asked }: Asked): boolean {
  const { reasoning, thinking, tools = [] } = asked
  const request = { stream, reasoning, tools, extensions: thinking === undefined ? {} : { thinking } }
  const attempt = {
    candidate: {
      model: { supportedParameters: ['reasoning'] },
      upstream: { model: name },
      provider: { format, paidFields: [{ field: 'tools', served }] },
    },
    request: { call: { request }, operation: generate },
  }
  return mayBillUnseen(attempt as unknown as Attempt, seen)
}

const claude = 'anthropic-messages'
const off = { effort: 'none' }
const search = { kind: 'raw', value: { type: 'web_search_20250305', max_uses: 1 } }
const own = { kind: 'function', name: 'search' }

describe('reasoning that no caller may get to see', () => {
  it.each<Asked>([
    { format: 'openai-chat' },
    { format: 'google-generate', reasoning: off },
    { format: 'deepseek-chat', stream: false },
    { format: 'mistral-chat', stream: false },
    { format: 'cohere-chat', name: 'command-a-reasoning-08-2025', stream: false },
    { format: claude, name: 'claude-sonnet-4-5', reasoning: { effort: 'low' } },
    { format: claude, name: 'claude-sonnet-4-5', thinking: { type: 'enabled', budget_tokens: 2_000 } },
    // Later versions reason by default, and for some it cannot be turned off.
    { format: claude, name: 'claude-haiku-5' },
    { format: claude, name: 'claude-sonnet-5-5', thinking: null },
    { format: claude, name: 'claude-opus-5-5', reasoning: off },
    // Only the usage reveals how much a search read.
    { format: claude, name: 'claude-haiku-5', reasoning: off, tools: [search] },
    { format: claude, name: 'deepseek-v4-pro', stream: false },
  ])('is possible: %j', (asked) => expect(mayReason(asked)).toBe(true))

  it.each<Asked>([
    { format: 'openai-chat', seen: true },
    { format: 'openai-chat', reasoning: off },
    { format: 'deepseek-chat' },
    { format: 'mistral-chat' },
    { format: 'deepseek-chat', stream: false, seen: true },
    { format: 'mistral-chat', stream: false, reasoning: off },
    { format: 'cohere-chat', name: 'command-a-reasoning-08-2025' },
    { format: 'cohere-chat', name: 'command-a-reasoning-08-2025', stream: false, reasoning: off },
    { format: 'cohere-chat', name: 'command-a-03-2025', stream: false },
    { format: claude, name: 'claude-sonnet-4-5' },
    { format: claude, name: 'deepseek-v4-pro' },
    { format: claude, name: 'deepseek-v4-pro', stream: false, thinking: { type: 'disabled' } },
    { format: claude, name: 'claude-haiku-5', reasoning: off },
    { format: claude, name: 'claude-haiku-5', thinking: { type: 'disabled' } },
    { format: claude, name: 'claude-haiku-5', reasoning: off, tools: [own] },
  ])('is impossible: %j', (asked) => expect(mayReason(asked)).toBe(false))
})
