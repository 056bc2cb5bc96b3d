import type { VendorFacts } from './facts.ts'
import { openaiServiceTiers } from './openai-tiers.ts'
import { basePricing, completionsGroups, completionsNames } from './openai-completions.ts'
import { embeddingsGroups, embeddingsNames } from './openai-embeddings.ts'
import { moderationsGroups, moderationsNames, moderationsPricing } from './openai-moderations.ts'
import { researchPricing, responsesGroups, responsesNames } from './openai-responses.ts'
import { openaiOldest, openaiPlain, openaiReasoning } from './parameters.ts'

const image = ['text', 'image'] as const
const files = ['text', 'image', 'file'] as const
const plainFiles = { input: files, parameters: openaiPlain }
const reasoningFiles = { input: files, parameters: openaiReasoning }

/** https://platform.openai.com/docs/models, without audio models, whose output price we cannot express. */
export const openaiFacts: VendorFacts = {
  serviceTiers: openaiServiceTiers,
  groups: [
    { models: { 'gpt-3.5-turbo': '2023-02-28' }, output: 4_096, input: ['text'], parameters: openaiOldest },
    { models: { 'gpt-4': '2023-06-27' }, output: 8_192, input: ['text'], parameters: openaiPlain },
    { models: { 'gpt-4-turbo': '2024-04-05' }, output: 4_096, input: image, parameters: openaiPlain },
    { models: { 'gpt-4o-2024-05-13': '2024-05-13' }, output: 4_096, input: image, parameters: openaiPlain },
    { ...plainFiles, models: { 'gpt-4o': '2024-05-10', 'gpt-4o-mini': '2024-07-17' }, output: 16_384 },
    {
      ...plainFiles,
      models: { 'gpt-4.1': '2025-04-10', 'gpt-4.1-mini': '2025-04-10', 'gpt-4.1-nano': '2025-04-10' },
      context: 1_047_576,
      output: 32_768,
    },
    { models: { 'o3-mini': '2025-01-17' }, output: 100_000, input: ['text'], parameters: openaiReasoning },
    {
      ...reasoningFiles,
      models: { o1: '2024-12-16', o3: '2025-04-09', 'o4-mini': '2025-04-09' },
      output: 100_000,
    },
    {
      ...reasoningFiles,
      models: {
        'gpt-5': '2025-08-05',
        'gpt-5-mini': '2025-08-05',
        'gpt-5-nano': '2025-08-05',
        'gpt-5.1': '2025-11-10',
        'gpt-5.2': '2025-12-09',
        'gpt-5.4-mini': '2026-03-17',
        'gpt-5.4-nano': '2026-03-17',
      },
      context: 400_000,
      output: 128_000,
    },
    {
      ...reasoningFiles,
      models: {
        'gpt-5.4': '2026-03-05',
        'gpt-5.5': '2026-04-23',
        'gpt-5.6-luna': '2026-07-09',
        'gpt-5.6-sol': '2026-07-09',
        'gpt-5.6-terra': '2026-07-09',
        'gpt-6-astra': '2026-09-22',
        'gpt-6-luna': '2026-09-22',
        'gpt-6-sol': '2026-09-22',
      },
      context: 1_050_000,
      output: 128_000,
    },
    {
      ...plainFiles,
      models: {
        'gpt-5-chat-latest': '2025-08-07',
        'gpt-5.1-chat-latest': '2025-11-13',
        'gpt-5.2-chat-latest': '2025-12-11',
        'gpt-5.3-chat-latest': '2026-03-03',
      },
      context: 128_000,
      output: 16_384,
    },
    ...responsesGroups,
    ...completionsGroups,
    ...embeddingsGroups,
    ...moderationsGroups,
  ],
  pricing: { ...researchPricing, ...basePricing, ...moderationsPricing },
  names: {
    'gpt-3.5-turbo': 'GPT-3.5 Turbo',
    'gpt-4': 'GPT-4',
    'gpt-4-turbo': 'GPT-4 Turbo',
    'gpt-4o-2024-05-13': 'GPT-4o (2024-05-13)',
    'gpt-4o': 'GPT-4o',
    'gpt-4o-mini': 'GPT-4o mini',
    'gpt-4.1': 'GPT-4.1',
    'gpt-4.1-mini': 'GPT-4.1 mini',
    'gpt-4.1-nano': 'GPT-4.1 nano',
    'o3-mini': 'o3-mini',
    'o4-mini': 'o4-mini',
    'gpt-5-chat-latest': 'GPT-5 Chat',
    'gpt-5.1-chat-latest': 'GPT-5.1 Chat',
    'gpt-5.2-chat-latest': 'GPT-5.2 Chat',
    'gpt-5.3-chat-latest': 'GPT-5.3 Chat',
    ...responsesNames,
    ...completionsNames,
    ...embeddingsNames,
    ...moderationsNames,
  },
}
