import type { VendorFacts } from './facts.ts'
import { plainText, reasoningText } from './open-models.ts'

/** https://api-docs.deepseek.com/quick_start/pricing */
export const deepseekFacts: VendorFacts = {
  groups: [
    {
      ...reasoningText,
      models: { 'deepseek-v4-flash': '2026-04-24', 'deepseek-v4-pro': '2026-04-24' },
      output: 384_000,
    },
    { ...plainText, models: { 'deepseek-chat': '2025-12-01' }, context: 1_000_000, output: 384_000 },
    { ...reasoningText, models: { 'deepseek-reasoner': '2025-12-01' }, context: 1_000_000, output: 384_000 },
  ],
  names: { 'deepseek-chat': 'DeepSeek Chat', 'deepseek-reasoner': 'DeepSeek Reasoner' },
  // Since V4 both names refer to V4 Flash, without and with reasoning; the data has their prices of 2025.
  pricedAs: { 'deepseek-chat': 'deepseek-v4-flash', 'deepseek-reasoner': 'deepseek-v4-flash' },
}
