import type { VendorFacts } from './facts.ts'
import { plainText, reasoningImages, reasoningText } from './open-models.ts'
import { openPlain, openReasoning } from './parameters.ts'

const files = ['text', 'image', 'file'] as const
const plainFiles = { input: files, parameters: openPlain }
const reasoningFiles = { input: files, parameters: openReasoning }

/** They also take audio, for which the data has no price. */
const everything = ['text', 'image', 'video', 'file'] as const

/**
 * The most requested models of the several hundred at https://openrouter.ai/models; any other is a model in
 * the configuration. Limits are those of the provider with the highest ones, as that page shows them.
 */
export const openrouterFacts: VendorFacts = {
  groups: [
    {
      ...reasoningFiles,
      models: {
        'anthropic/claude-haiku-4.5': '2025-10-15',
        'anthropic/claude-sonnet-4.5': '2025-09-29',
        'anthropic/claude-opus-4.5': '2025-11-24',
      },
      output: 64_000,
    },
    {
      ...reasoningFiles,
      models: {
        'anthropic/claude-opus-4.6': '2026-02-05',
        'anthropic/claude-sonnet-4.6': '2026-02-17',
        'anthropic/claude-opus-4.7': '2026-04-16',
        'anthropic/claude-opus-4.8': '2026-05-28',
        'anthropic/claude-fable-5': '2026-06-09',
        'anthropic/claude-sonnet-5': '2026-06-30',
        'anthropic/claude-opus-5': '2026-07-24',
        'anthropic/claude-opus-5.5': '2026-09-22',
        'anthropic/claude-fable-5.1': '2026-09-22',
      },
      context: 1_000_000,
      output: 128_000,
    },
    {
      ...plainFiles,
      models: { 'openai/gpt-4o': '2024-05-13', 'openai/gpt-4o-mini': '2024-07-18' },
      output: 16_384,
    },
    {
      ...plainFiles,
      models: {
        'openai/gpt-4.1': '2025-04-14',
        'openai/gpt-4.1-mini': '2025-04-14',
        'openai/gpt-4.1-nano': '2025-04-14',
      },
      context: 1_047_576,
      output: 32_768,
    },
    {
      ...reasoningFiles,
      models: { 'openai/o3': '2025-04-16', 'openai/o4-mini': '2025-04-16' },
      context: 200_000,
      output: 100_000,
    },
    {
      ...reasoningFiles,
      models: {
        'openai/gpt-5': '2025-08-07',
        'openai/gpt-5-mini': '2025-08-07',
        'openai/gpt-5-nano': '2025-08-07',
        'openai/gpt-5.1': '2025-11-13',
        'openai/gpt-5.2': '2025-12-11',
        'openai/gpt-5.4-mini': '2026-03-17',
        'openai/gpt-5.4-nano': '2026-03-17',
      },
      context: 400_000,
      output: 128_000,
    },
    {
      ...reasoningFiles,
      models: {
        'openai/gpt-5.4': '2026-03-05',
        'openai/gpt-5.5': '2026-04-23',
        'openai/gpt-5.6-luna': '2026-07-09',
        'openai/gpt-5.6-sol': '2026-07-09',
        'openai/gpt-5.6-terra': '2026-07-09',
        'openai/gpt-6-luna': '2026-09-22',
        'openai/gpt-6-sol': '2026-09-22',
      },
      context: 1_050_000,
      output: 128_000,
    },
    {
      ...reasoningText,
      models: { 'openai/gpt-oss-120b': '2025-08-05', 'openai/gpt-oss-20b': '2025-08-05' },
      context: 131_072,
      output: 131_072,
    },
    {
      models: {
        'google/gemini-2.5-pro': '2025-06-17',
        'google/gemini-2.5-flash': '2025-06-17',
        'google/gemini-2.5-flash-lite': '2025-07-22',
        'google/gemini-3-flash-preview': '2025-12-17',
        'google/gemini-3.1-pro-preview': '2026-02-19',
        'google/gemini-3.1-flash-lite': '2026-05-07',
        'google/gemini-3.5-flash': '2026-05-19',
      },
      context: 1_048_576,
      output: 65_536,
      input: everything,
      parameters: openReasoning,
    },
    {
      ...reasoningText,
      models: { 'deepseek/deepseek-v4-flash': '2026-04-24' },
      context: 1_048_576,
      output: 65_536,
    },
    {
      ...reasoningText,
      models: { 'deepseek/deepseek-v4-pro': '2026-04-24' },
      context: 1_048_576,
      output: 384_000,
    },
    {
      ...reasoningText,
      models: { 'deepseek/deepseek-v3.2': '2025-12-01' },
      context: 131_072,
      output: 64_000,
    },
    {
      ...reasoningImages,
      models: { 'x-ai/grok-4.3': '2026-04-17', 'x-ai/grok-4.20': '2026-03-31' },
      context: 1_000_000,
      output: 1_000_000,
    },
    {
      ...reasoningImages,
      models: {
        'moonshotai/kimi-k2.6': '2026-04-21',
        'mistralai/mistral-large-2512': '2025-12-02',
        'mistralai/mistral-small-2603': '2026-03-16',
        'mistralai/mistral-medium-3-5': '2026-04-30',
      },
      context: 262_144,
      output: 262_144,
    },
    { ...reasoningImages, models: { 'moonshotai/kimi-k3': '2026-07-15' }, output: 1_048_576 },
    {
      ...reasoningText,
      models: { 'z-ai/glm-5.2': '2026-06-16', 'z-ai/glm-5.3': '2026-08-16' },
      context: 1_048_576,
      output: 32_768,
    },
    {
      ...reasoningImages,
      models: { 'qwen/qwen3.7-max': '2026-05-21', 'qwen/qwen3.7-plus': '2026-06-02' },
      context: 1_000_000,
      output: 65_536,
    },
    { ...reasoningText, models: { 'minimax/minimax-m2.7': '2026-03-18' }, context: 196_608, output: 196_608 },
    { ...reasoningImages, models: { 'minimax/minimax-m3': '2026-06-01' }, context: 524_288, output: 512_000 },
    {
      ...plainText,
      models: { 'meta-llama/llama-3.3-70b-instruct': '2024-12-06' },
      context: 131_072,
      output: 16_384,
    },
  ],
  names: { 'openai/gpt-4o': 'GPT-4o', 'openai/gpt-4o-mini': 'GPT-4o mini' },
  // For Gemini models this is the cache's storage for five minutes, not the price of a written token.
  ignored: {
    'google/gemini-2.5-pro': ['cache_write_mtok'],
    'google/gemini-2.5-flash': ['cache_write_mtok'],
    'google/gemini-2.5-flash-lite': ['cache_write_mtok'],
    'google/gemini-3-flash-preview': ['cache_write_mtok'],
    'google/gemini-3.1-pro-preview': ['cache_write_mtok'],
    'google/gemini-3.1-flash-lite': ['cache_write_mtok'],
    'google/gemini-3.5-flash': ['cache_write_mtok'],
  },
}
