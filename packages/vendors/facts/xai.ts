import type { VendorFacts } from './facts.ts'
import { plainImages, plainText, reasoningImages, reasoningText } from './open-models.ts'

/** https://docs.x.ai/docs/models; the vendor states no output limit other than the context. */
export const xaiFacts: VendorFacts = {
  groups: [
    { ...plainText, models: { 'grok-3': '2025-04-09', 'grok-3-fast': '2025-04-09' }, output: 131_072 },
    {
      ...reasoningText,
      models: { 'grok-3-mini': '2025-04-09', 'grok-3-mini-fast': '2025-04-09' },
      output: 131_072,
    },
    { ...reasoningImages, models: { 'grok-4-0709': '2025-07-09' }, output: 256_000 },
    {
      ...reasoningImages,
      models: { 'grok-4-fast-reasoning': '2025-09-19', 'grok-4-1-fast-reasoning': '2025-11-19' },
      output: 2_000_000,
    },
    {
      ...plainImages,
      models: { 'grok-4-fast-non-reasoning': '2025-09-19', 'grok-4-1-fast-non-reasoning': '2025-11-19' },
      output: 2_000_000,
    },
    { ...reasoningText, models: { 'grok-code-fast-1': '2025-08-28' }, output: 256_000 },
    { ...reasoningImages, models: { 'grok-build-0.1': '2026-04-16' }, output: 256_000 },
    {
      ...reasoningImages,
      models: { 'grok-4.20': '2026-03-09', 'grok-4.3': '2026-04-17' },
      output: 1_000_000,
    },
    { ...reasoningImages, models: { 'grok-4.5': '2026-07-09', 'grok-4.6': '2026-08-10' }, output: 500_000 },
  ],
  // The names in its documentation. They are not versions of the model's own name, so no pattern covers them.
  aliases: {
    'grok-4': 'grok-4-0709',
    'grok-4-latest': 'grok-4-0709',
    'grok-4-fast': 'grok-4-fast-reasoning',
    'grok-4-1-fast': 'grok-4-1-fast-reasoning',
    'grok-code-fast': 'grok-code-fast-1',
  },
}
