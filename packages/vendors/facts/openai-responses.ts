import type { Pricing } from '@turnpike/protocol'
import type { FactGroup } from './facts.ts'
import { openaiFreeResponses, openaiResponses } from './parameters.ts'

/** Models served by `/v1/responses` only, as described at https://developers.openai.com/api/docs/models. */

const files = ['text', 'image', 'file'] as const
const formats = ['openai-responses'] as const
const responses = { input: files, parameters: openaiResponses, formats }
const freeResponses = { ...responses, parameters: openaiFreeResponses }

/**
 * "Some requests may take several minutes to finish", in silence; OpenAI's own examples wait for an hour
 * (https://developers.openai.com/api/docs/guides/deep-research).
 */
const patience = { silence: 1_800, total: 3_600 }

export const responsesGroups: FactGroup[] = [
  { ...responses, models: { 'o1-pro': '2025-03-17', 'o3-pro': '2025-06-10' }, output: 100_000, patience },
  { ...responses, models: { 'gpt-5-pro': '2025-10-06' }, output: 272_000, patience },
  { ...responses, models: { 'gpt-5.2-pro': '2025-12-11' }, output: 128_000, patience },
  {
    ...freeResponses,
    models: { 'gpt-5.4-pro': '2026-03-05', 'gpt-5.5-pro': '2026-04-23' },
    context: 1_050_000,
    output: 128_000,
    patience,
  },
  {
    ...responses,
    models: {
      'gpt-5-codex': '2025-09-23',
      'gpt-5.1-codex': '2025-11-13',
      'gpt-5.1-codex-max': '2025-12-04',
      'gpt-5.1-codex-mini': '2025-11-13',
      'gpt-5.2-codex': '2026-01-14',
      'gpt-5.3-codex': '2026-02-24',
    },
    context: 400_000,
    output: 128_000,
  },
  { ...responses, models: { 'codex-mini-latest': '2025-05-16' }, output: 100_000 },
  {
    ...freeResponses,
    models: { 'o3-deep-research': '2025-06-26', 'o4-mini-deep-research': '2025-06-26' },
    output: 100_000,
    patience,
  },
  {
    ...freeResponses,
    models: { 'computer-use-preview': '2025-03-11' },
    output: 1_024,
    input: ['text', 'image'],
  },
]

/**
 * The data lacks the price of searches, without which these models do nothing:
 * https://platform.openai.com/docs/pricing (seen 2026-11-22).
 */
export const researchPricing: Record<string, Pricing> = {
  'o3-deep-research': {
    prompt: '0.00001',
    completion: '0.00004',
    input_cache_read: '0.0000025',
    web_search: '0.01',
  },
  'o4-mini-deep-research': {
    prompt: '0.000002',
    completion: '0.000008',
    input_cache_read: '0.0000005',
    web_search: '0.01',
  },
}

export const responsesNames: Record<string, string> = {
  'gpt-5-pro': 'GPT-5 Pro',
  'gpt-5.2-pro': 'GPT-5.2 Pro',
  'gpt-5-codex': 'GPT-5-Codex',
  'gpt-5.1-codex': 'GPT-5.1-Codex',
  'gpt-5.1-codex-max': 'GPT-5.1-Codex-Max',
  'gpt-5.1-codex-mini': 'GPT-5.1-Codex mini',
  'gpt-5.2-codex': 'GPT-5.2-Codex',
  'codex-mini-latest': 'codex-mini',
  'computer-use-preview': 'computer-use-preview',
  'o3-pro': 'o3-pro',
  'o3-deep-research': 'o3-deep-research',
  'o4-mini-deep-research': 'o4-mini-deep-research',
}
