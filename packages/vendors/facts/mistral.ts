import { moderations, vectors } from './embeddings.ts'
import type { VendorFacts } from './facts.ts'
import { mistralPlain, mistralReasoning } from './parameters.ts'

const image = ['text', 'image'] as const
const plainImages = { input: image, parameters: mistralPlain }
const reasoningImages = { input: image, parameters: mistralReasoning }

const embeddings = { ...vectors, context: 8_192, formats: ['mistral-embeddings'] } as const

/** https://docs.mistral.ai/models; the vendor states no output limit other than the context. */
export const mistralFacts: VendorFacts = {
  groups: [
    {
      ...embeddings,
      models: { 'mistral-embed': '2023-12-11' },
      parameters: ['encoding_format'],
      dimensions: 1_024,
    },
    {
      ...embeddings,
      models: { 'codestral-embed': '2025-05-28' },
      parameters: ['dimensions', 'encoding_format'],
      dimensions: 1_536,
    },
    {
      ...moderations,
      // `mistral-moderation-2603` has no published price, and `-latest` will refer to it.
      models: { 'mistral-moderation-2411': '2024-11-07' },
      context: 8_192,
      input: ['text'],
      formats: ['mistral-moderations'],
    },
    {
      models: { 'codestral-2508': '2025-07-30', 'codestral-latest': '2025-07-30' },
      context: 256_000,
      output: 256_000,
      input: ['text'],
      parameters: [...mistralPlain, 'suffix'].toSorted(),
      formats: ['mistral-chat', 'mistral-fim'],
    },
    {
      models: { 'mistral-nemo': '2024-07-18' },
      context: 131_072,
      output: 131_072,
      input: ['text'],
      parameters: mistralPlain,
    },
    { ...plainImages, models: { 'ministral-3b-2512': '2025-12-02' }, output: 131_072 },
    {
      ...plainImages,
      models: {
        'ministral-8b-2512': '2025-12-02',
        'ministral-8b-latest': '2025-12-02',
        'ministral-14b-2512': '2025-12-02',
        'mistral-large-2512': '2025-12-02',
        'mistral-large-latest': '2025-12-02',
      },
      context: 262_144,
      output: 262_144,
    },
    {
      ...plainImages,
      models: { 'mistral-medium-2505': '2025-05-07', 'mistral-medium-2508': '2025-08-12' },
      context: 131_072,
      output: 131_072,
    },
    { ...plainImages, models: { 'mistral-small-2506': '2025-06-20' }, context: 131_072, output: 131_072 },
    {
      ...reasoningImages,
      models: {
        'mistral-small-2603': '2026-03-16',
        'mistral-small-latest': '2026-03-16',
        'mistral-medium-3-5': '2026-04-29',
        'mistral-medium-latest': '2026-04-29',
      },
      context: 262_144,
      output: 262_144,
    },
    {
      ...reasoningImages,
      models: { 'magistral-small-latest': '2025-06-10', 'magistral-medium-latest': '2025-06-10' },
      context: 131_072,
      output: 131_072,
    },
  ],
  // The data lacks it; the price is from https://vercel.com/ai-gateway/models/codestral-embed.
  pricing: {
    'codestral-embed': { prompt: '0.00000015', completion: '0' },
    // From https://hardais.com/models/mistral/moderation.
    'mistral-moderation-2411': { prompt: '0.0000001', completion: '0' },
  },
  names: {
    'mistral-embed': 'Mistral Embed',
    'codestral-embed': 'Codestral Embed',
    'mistral-moderation-2411': 'Mistral Moderation 24.11',
    'codestral-latest': 'Codestral (latest)',
    'ministral-8b-latest': 'Ministral 8B (latest)',
    'mistral-large-latest': 'Mistral Large (latest)',
    'mistral-medium-2505': 'Mistral Medium 3',
    'mistral-medium-2508': 'Mistral Medium 3.1',
    'mistral-medium-latest': 'Mistral Medium (latest)',
    'mistral-small-2506': 'Mistral Small 3.2',
    'mistral-small-latest': 'Mistral Small (latest)',
    'magistral-small-latest': 'Magistral Small (latest)',
    'magistral-medium-latest': 'Magistral Medium (latest)',
  },
  // `-latest` moves with each release; the data still has its earlier target.
  pricedAs: {
    'codestral-latest': 'codestral-2508',
    'mistral-large-latest': 'mistral-large-2512',
    'mistral-small-latest': 'mistral-small-2603',
    'mistral-small-2506': 'mistral-small-latest',
  },
}
