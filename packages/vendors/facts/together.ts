import type { VendorFacts } from './facts.ts'
import { plainText, reasoningText } from './open-models.ts'
import { openReasoning } from './parameters.ts'

/**
 * https://docs.together.ai/docs/serverless-models. The data's prices of this vendor are old and lack most of
 * its current models, so the prices are here (https://www.together.ai/pricing). Not here: embedding models.
 * The vendor says that its last one has no serverless API
 * (https://www.together.ai/models/multilingual-e5-large-instruct).
 */
export const togetherFacts: VendorFacts = {
  groups: [
    {
      ...plainText,
      models: { 'meta-llama/Llama-3.3-70B-Instruct-Turbo': '2024-12-06' },
      context: 131_072,
      output: 131_072,
    },
    {
      ...reasoningText,
      models: { 'openai/gpt-oss-120b': '2025-08-05', 'openai/gpt-oss-20b': '2025-08-05' },
      context: 131_072,
      output: 131_072,
    },
    {
      ...plainText,
      models: { 'Qwen/Qwen3-235B-A22B-Instruct-2507-tput': '2025-07-25' },
      context: 262_144,
      output: 262_144,
    },
    {
      models: { 'moonshotai/Kimi-K2.6': '2026-04-21' },
      context: 262_144,
      output: 131_000,
      input: ['text', 'image', 'video'],
      parameters: openReasoning,
    },
    {
      ...reasoningText,
      models: { 'MiniMaxAI/MiniMax-M2.7': '2026-03-18', 'zai-org/GLM-5.1': '2026-04-07' },
      context: 202_752,
      output: 131_072,
    },
    {
      ...reasoningText,
      models: { 'deepseek-ai/DeepSeek-V4-Pro': '2026-04-24' },
      context: 512_000,
      output: 384_000,
    },
  ],
  names: {
    'meta-llama/Llama-3.3-70B-Instruct-Turbo': 'Llama 3.3 70B Instruct Turbo',
    'openai/gpt-oss-120b': 'gpt-oss-120b',
    'openai/gpt-oss-20b': 'gpt-oss-20b',
  },
  pricing: {
    'openai/gpt-oss-120b': { prompt: '0.00000015', completion: '0.0000006' },
    'openai/gpt-oss-20b': { prompt: '0.00000005', completion: '0.0000002' },
    'Qwen/Qwen3-235B-A22B-Instruct-2507-tput': { prompt: '0.0000002', completion: '0.0000006' },
    'moonshotai/Kimi-K2.6': { prompt: '0.0000012', completion: '0.0000045', input_cache_read: '0.0000002' },
    'MiniMaxAI/MiniMax-M2.7': {
      prompt: '0.0000003',
      completion: '0.0000012',
      input_cache_read: '0.00000006',
    },
    'zai-org/GLM-5.1': { prompt: '0.0000014', completion: '0.0000044' },
    'deepseek-ai/DeepSeek-V4-Pro': {
      prompt: '0.00000174',
      completion: '0.00000348',
      input_cache_read: '0.0000002',
    },
  },
}
