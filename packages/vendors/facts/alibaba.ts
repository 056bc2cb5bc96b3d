import type { VendorFacts } from './facts.ts'
import { plainImages, plainText, reasoningText } from './open-models.ts'

/**
 * https://www.alibabacloud.com/help/en/model-studio/models, international prices. The price data does not
 * have this vendor. Models whose price rises with the prompt in more steps than could be verified are left
 * out.
 */
export const alibabaFacts: VendorFacts = {
  groups: [
    { ...plainText, models: { 'qwen-max': '2024-04-03' }, context: 32_768, output: 8_192 },
    { ...reasoningText, models: { 'qwen-turbo': '2024-11-01' }, context: 1_000_000, output: 16_384 },
    {
      ...reasoningText,
      models: { 'qwen3-32b': '2025-04-28', 'qwen3-235b-a22b': '2025-04-28' },
      context: 131_072,
      output: 16_384,
    },
    {
      ...plainText,
      models: { 'qwen3-next-80b-a3b-instruct': '2025-09-11' },
      context: 131_072,
      output: 32_768,
    },
    {
      ...plainImages,
      models: { 'qwen-vl-max': '2024-04-08', 'qwen-vl-plus': '2024-01-25' },
      context: 131_072,
      output: 8_192,
    },
    { ...reasoningText, models: { 'qwen3.7-max': '2026-05-21' }, context: 1_000_000, output: 65_536 },
  ],
  names: {
    'qwen-max': 'Qwen Max',
    'qwen-turbo': 'Qwen Turbo',
    'qwen-vl-max': 'Qwen VL Max',
    'qwen-vl-plus': 'Qwen VL Plus',
    'qwen3.7-max': 'Qwen3.7 Max',
  },
  pricing: {
    'qwen-max': { prompt: '0.0000016', completion: '0.0000064' },
    // Reasoning costs more, and the answer does not say whether the model reasoned: the higher price.
    'qwen-turbo': { prompt: '0.00000005', completion: '0.0000005' },
    'qwen3-32b': { prompt: '0.0000007', completion: '0.0000084' },
    'qwen3-235b-a22b': { prompt: '0.0000007', completion: '0.0000084' },
    'qwen3-next-80b-a3b-instruct': { prompt: '0.0000005', completion: '0.000002' },
    'qwen-vl-max': { prompt: '0.0000008', completion: '0.0000032' },
    'qwen-vl-plus': { prompt: '0.00000021', completion: '0.00000063' },
    'qwen3.7-max': { prompt: '0.0000025', completion: '0.0000075', input_cache_read: '0.0000005' },
  },
}
