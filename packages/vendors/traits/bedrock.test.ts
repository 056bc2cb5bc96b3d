import { describe, expect, it } from 'vitest'
import { modelTraits } from './model-traits.ts'
import { refusesBeta } from './platform-betas.ts'

const bedrock = (name: string): object => modelTraits('bedrock-converse', name).bedrock

describe('a model’s support in Converse', () => {
  it.each([
    ['anthropic.claude-3-5-haiku-20241022-v1:0', { thinking: 'claude', cachesAnHour: false, schemas: false }],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', { cachesAnHour: true, schemas: true }],
    ['global.anthropic.claude-opus-4-7', { schemas: false, toolChoices: ['any', 'tool'] }],
    ['eu.anthropic.claude-opus-5-5', { toolChoices: [] }],
    ['apac.amazon.nova-pro-v1:0', { topK: 'nova', thinking: 'none', caches: ['system', 'messages'] }],
    ['us.amazon.nova-2-lite-v1:0', { thinking: 'nova' }],
    ['openai.gpt-oss-20b-1:0', { thinking: 'openai', toolChoices: [] }],
    ['mistral.mistral-7b-instruct-v0:2', { system: false, shortCallIds: true }],
    ['us.mistral.pixtral-large-2502-v1:0', { shortCallIds: true, toolChoices: ['any'] }],
    ['us.meta.llama4-scout-17b-instruct-v1:0', { toolChoices: [], caches: [] }],
    ['arn:aws:bedrock:us-east-1:1:inference-profile/us.amazon.nova-lite-v1:0', { topK: 'nova' }],
    // An unknown model: the vendor rejects what it does not support.
    ['arn:aws:bedrock:us-east-1:1:application-inference-profile/abc', { toolChoices: ['any', 'tool'] }],
  ])('%s', (name, expected) => expect(bedrock(name)).toMatchObject(expected))

  it('is the same for Claude as elsewhere, apart from schemas, which its later versions reject there', () => {
    for (const format of ['bedrock-messages', 'bedrock-converse'] as const) {
      const { claude } = modelTraits(format, 'us.anthropic.claude-opus-4-6-v1')
      expect(claude).toMatchObject({ thinking: 'either', structuredOutput: true })
      expect(modelTraits(format, 'us.anthropic.claude-opus-4-8').claude.structuredOutput).toBe(false)
    }
    const atGoogle = modelTraits('vertex-messages', 'claude-opus-4-8').claude
    expect(atGoogle).toEqual(modelTraits('anthropic-messages', 'claude-opus-4-8').claude)
  })
})

it.each([
  ['bedrock-messages', 'us.anthropic.claude-sonnet-4-6', 'effort-2025-11-24', false],
  ['bedrock-messages', 'us.anthropic.claude-sonnet-4-6', 'claude-code-20250219', true],
  ['bedrock-messages', 'us.anthropic.claude-opus-4-7', 'effort-2025-11-24', true],
  ['vertex-messages', 'claude-sonnet-4-5@20250929', 'web-search-2025-03-05', false],
  ['vertex-messages', 'claude-sonnet-4-5@20250929', 'constructor', true],
  ['anthropic-messages', 'claude-sonnet-4-5', 'claude-code-20250219', false],
] as const)('%s of %s: rejects the beta %s: %s', (format, model, beta, expected) => {
  expect(refusesBeta(format, model, beta)).toBe(expected)
})
