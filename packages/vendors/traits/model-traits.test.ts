import { describe, expect, it } from 'vitest'
import { modelTraits } from './model-traits.ts'

const claude = (name: string): object => modelTraits('anthropic-messages', name).claude
const gemini = (name: string): object => modelTraits('google-generate', name).gemini

describe('a model’s traits', () => {
  it.each([
    ['claude-3-5-sonnet-20240620', { thinking: 'none', efforts: [], structuredOutput: false }],
    ['claude-3-7-sonnet-latest', { thinking: 'budget', temperatureWithTopP: true }],
    ['claude-opus-4-1-20250805', { thinking: 'budget', temperatureWithTopP: false }],
    ['claude-sonnet-4-5@20250929', { structuredOutput: true, efforts: [] }],
    ['claude-opus-4-5', { efforts: ['low', 'medium', 'high'] }],
    ['anthropic.claude-opus-4-6-v1', { thinking: 'either', efforts: ['low', 'medium', 'high', 'max'] }],
    ['claude-mythos-preview', { thinking: 'either', sampling: false, thinkingOff: 'never' }],
    ['claude-opus-4-7', { thinking: 'adaptive', sampling: false, systemTurns: false }],
    ['claude-opus-4-8', { thinkingOff: 'absent', systemTurns: true }],
    ['claude-sonnet-5', { thinkingOff: 'disabled', forcedTools: true }],
    ['claude-haiku-5-5', { thinkingOff: 'disabled', forcedTools: true }],
    ['claude-sonnet-5-5', { thinkingOff: 'between_tools', forcedTools: false }],
    ['claude-opus-5-5', { thinkingOff: 'never', forcedTools: false }],
    // Without a known version: like the latest.
    ['claude-opus-latest', { thinkingOff: 'never', thinking: 'adaptive' }],
    // Another vendor's model in the same format.
    ['glm-5', { thinking: 'budget', efforts: [], sampling: true, forcedTools: true }],
  ])('of Claude: %s', (name, expected) => expect(claude(name)).toMatchObject(expected))

  it.each([
    ['gemini-2.0-flash', { thinking: 'none', validatesCalls: false }],
    ['gemini-2.5-flash', { thinking: 'budget', budget: { least: 0, most: 24_576 }, validatesCalls: true }],
    ['gemini-2.5-pro', { thinking: 'budget', budget: { least: 128, most: 32_768 }, jsonBesideTools: false }],
    ['gemini-3-pro-preview', { levels: ['LOW', 'HIGH'], jsonBesideTools: true }],
    ['gemini-3.1-pro-preview', { levels: ['LOW', 'MEDIUM', 'HIGH'], demandsSignatures: true }],
    ['gemini-3.6-flash', { levels: ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'], mediaInResults: true }],
    ['gemini-3.7-flash', { levels: ['LOW', 'MEDIUM', 'HIGH'] }],
    ['gemini-3.7-flash-lite', { levels: ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'] }],
    ['gemini-flash-latest', { thinking: 'levels', levels: ['LOW', 'MEDIUM', 'HIGH'] }],
    ['gemma-4-31b-it', { thinking: 'levels', levels: ['LOW', 'MEDIUM', 'HIGH'] }],
  ])('of Google: %s', (name, expected) => expect(gemini(name)).toMatchObject(expected))

  it.each([
    ['magistral-medium-latest', 'prompt-mode'],
    ['mistral-large-latest', 'steps'],
    ['mistral-small-latest', 'on-or-off'],
  ])('of Mistral: %s', (name, thinking) => {
    expect(modelTraits('mistral-chat', name).mistral).toEqual({ thinking })
  })

  it.each([
    ['deepseek-chat', false],
    ['deepseek-v4-pro', true],
    ['constructor', true],
  ])('of DeepSeek: %s', (name, thinksUnasked) => {
    expect(modelTraits('deepseek-chat', name).deepseek).toEqual({ thinksUnasked })
  })

  it.each([
    ['command-a-reasoning-08-2025', true],
    ['command-a-plus-05-2026', true],
    ['command-a-03-2025', false],
    ['command-r7b-12-2024', false],
  ])('of Cohere: %s', (name, thinks) => {
    expect(modelTraits('cohere-chat', name).cohere).toEqual({ thinks })
  })

  it.each([
    ['gpt-4o', { efforts: undefined, fixedSampling: false, streams: true }],
    ['gpt-4.1-2025-04-14', { efforts: undefined, phases: false }],
    ['o1-pro-2025-03-19', { efforts: ['low', 'medium', 'high'], fixedSampling: true, streams: false }],
    ['o3-pro', { efforts: ['low', 'medium', 'high'], streams: true, livesBy: [] }],
    ['o4-mini', { efforts: ['low', 'medium', 'high'], fixedSampling: true, livesBy: [] }],
    ['o4-mini-deep-research', { efforts: ['medium'], livesBy: expect.arrayContaining(['mcp']) }],
    ['computer-use-preview-2025-03-11', { livesBy: ['computer_use_preview'] }],
    ['gpt-5-2025-08-07', { efforts: ['minimal', 'low', 'medium', 'high'], fixedSampling: true }],
    ['gpt-5-pro-2025-10-06', { efforts: ['high'], fixedSampling: true, streams: false, phases: false }],
    ['gpt-5-chat-latest', { efforts: undefined, fixedSampling: false }],
    ['gpt-5.1', { efforts: ['none', 'low', 'medium', 'high'], fixedSampling: false }],
    ['gpt-5.1-codex-max', { efforts: ['low', 'medium', 'high', 'xhigh'], fixedSampling: true }],
    ['gpt-5.1-codex-mini', { efforts: ['low', 'medium', 'high'] }],
    ['gpt-5.2-pro-2025-12-11', { efforts: ['medium', 'high', 'xhigh'], streams: true }],
    ['gpt-5.3-codex', { efforts: ['low', 'medium', 'high', 'xhigh'], phases: true }],
    ['gpt-5.4-mini-2026-03-17', { efforts: ['none', 'low', 'medium', 'high', 'xhigh'], phases: true }],
    ['gpt-6-astra', { efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'], phases: true }],
    ['codex-mini-latest', { efforts: ['low', 'medium', 'high'], fixedSampling: true }],
    ['openai/gpt-5', { efforts: undefined }],
  ])('of OpenAI: %s', (name, expected) => {
    expect(modelTraits('openai-responses', name).openai).toMatchObject(expected)
  })

  it('do not accumulate in memory for ever new names', () => {
    for (let at = 0; at < 1_100; at++) claude(`claude-opus-4-5-${at}`)
    expect(claude('claude-opus-4-5-1099')).toEqual(claude('claude-opus-4-5'))
  })
})
