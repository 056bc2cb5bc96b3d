import type { BedrockTraits } from '@turnpike/dialects'
import { claudeTraits, claudeVersion } from './claude.ts'

/** Most makers' models. */
const plain: BedrockTraits = {
  thinking: 'none',
  topK: 'none',
  toolChoices: [],
  resultStatus: false,
  resultMedia: false,
  system: true,
  caches: [],
  cachesAnHour: false,
  schemas: false,
  shortCallIds: false,
}

/** For an unknown model, such as a profile's ARN: the vendor rejects what it does not support. */
export const otherModel: BedrockTraits = { ...plain, topK: 'field', toolChoices: ['any', 'tool'] }

const claude: BedrockTraits = {
  ...plain,
  thinking: 'claude',
  topK: 'field',
  toolChoices: ['any', 'tool'],
  resultStatus: true,
  resultMedia: true,
  caches: ['tools', 'system', 'messages'],
}

const nova: BedrockTraits = {
  ...plain,
  topK: 'nova',
  toolChoices: ['any', 'tool'],
  resultStatus: true,
  resultMedia: true,
  caches: ['system', 'messages'],
}

/**
 * By the beginning of the model's name after its geography: the first match applies.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-supported-models-features.html,
 * …/prompt-caching.html, …/structured-output.html
 */
const families: readonly (readonly [beginning: string, traits: BedrockTraits])[] = [
  ['amazon.nova-2', { ...nova, thinking: 'nova' }],
  ['amazon.nova', nova],
  ['amazon.titan', { ...plain, system: false }],
  ['openai.', { ...plain, thinking: 'openai' }],
  ['mistral.mistral-7b', { ...plain, system: false, shortCallIds: true }],
  ['mistral.mixtral', { ...plain, system: false, shortCallIds: true }],
  ['mistral.', { ...plain, toolChoices: ['any'], shortCallIds: true, resultMedia: true }],
  ...['meta.', 'deepseek.', 'writer.', 'qwen.', 'google.', 'cohere.', 'ai21.'].map(
    (maker) => [maker, plain] as const,
  ),
]

/** Precedes the maker's name: where an inference profile calls the model. */
const geography = /^(?:us|eu|apac|au|jp|in|ca|us-gov|global)\./

/** Versions of Claude that support schemas there: later ones reject them (vercel/ai, supportsStrictTools). */
const schemasFrom = 4.5
const schemasUntil = 4.7

/**
 * A model's support in Converse, by its name there: with a geography before it, or within a profile's ARN.
 */
export function bedrockTraits(name: string): BedrockTraits {
  if (name.includes('claude')) {
    const version = claudeVersion(name)
    return {
      ...claude,
      toolChoices: claudeTraits(name).forcedTools ? claude.toolChoices : [],
      cachesAnHour: version >= schemasFrom,
      schemas: version >= schemasFrom && version < schemasUntil,
    }
  }
  const bare = name.slice(name.lastIndexOf('/') + 1).replace(geography, '')
  return families.find(([beginning]) => bare.startsWith(beginning))?.[1] ?? otherModel
}
