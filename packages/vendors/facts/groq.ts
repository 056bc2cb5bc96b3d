import type { VendorFacts } from './facts.ts'
import { plainImages, plainText, reasoningText } from './open-models.ts'

/** https://console.groq.com/docs/models */
export const groqFacts: VendorFacts = {
  groups: [
    { ...plainText, models: { 'llama-3.1-8b-instant': '2024-07-23' }, context: 131_072, output: 131_072 },
    { ...plainText, models: { 'llama-3.3-70b-versatile': '2024-12-06' }, context: 131_072, output: 32_768 },
    {
      ...plainImages,
      models: { 'meta-llama/llama-4-scout-17b-16e-instruct': '2025-04-05' },
      context: 131_072,
      output: 8_192,
    },
    {
      ...plainText,
      models: { 'moonshotai/kimi-k2-instruct-0905': '2025-09-05' },
      context: 262_144,
      output: 16_384,
    },
    {
      ...reasoningText,
      models: { 'openai/gpt-oss-120b': '2025-08-05', 'openai/gpt-oss-20b': '2025-08-05' },
      output: 65_536,
    },
    { ...reasoningText, models: { 'qwen/qwen3-32b': '2025-06-11' }, output: 40_960 },
  ],
  names: {
    'llama-3.1-8b-instant': 'Llama 3.1 8B Instant',
    'llama-3.3-70b-versatile': 'Llama 3.3 70B Versatile',
    'meta-llama/llama-4-scout-17b-16e-instruct': 'Llama 4 Scout 17B 16E Instruct',
    'moonshotai/kimi-k2-instruct-0905': 'Kimi K2 Instruct 0905',
    'openai/gpt-oss-120b': 'gpt-oss-120b',
    'openai/gpt-oss-20b': 'gpt-oss-20b',
    'qwen/qwen3-32b': 'Qwen3 32B',
  },
}
