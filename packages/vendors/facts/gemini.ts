import { vectors } from './embeddings.ts'
import type { VendorFacts } from './facts.ts'
import { googleThinking, openTextOnly } from './parameters.ts'

/**
 * By https://ai.google.dev/gemini-api/docs/pricing, and the same at Vertex AI: up to 2.5 each prompt with
 * Google searches is billed once, from 3 on each search. The free daily quota is left to the operator.
 */
const perPrompt = { grounded_prompt: '0.035' }
const perSearch = { web_search: '0.014' }

const everything = ['text', 'image', 'audio', 'video', 'file'] as const

/** https://ai.google.dev/gemini-api/docs/models. Not here: models for images, speech or live audio. */
export const geminiFacts: VendorFacts = {
  groups: [
    {
      models: {
        'gemini-2.5-pro': '2025-06-17',
        'gemini-2.5-flash': '2025-06-17',
        'gemini-2.5-flash-lite': '2025-07-22',
        'gemini-3-flash-preview': '2025-12-17',
        'gemini-3.1-pro-preview': '2026-02-19',
        'gemini-3.1-flash-lite': '2026-05-07',
        'gemini-3.5-flash': '2026-05-19',
        'gemini-3.5-flash-lite': '2026-07-14',
        'gemini-3.6-flash': '2026-07-21',
        'gemini-3.7-flash': '2026-08-18',
        'gemini-3.8-flash': '2026-09-02',
      },
      context: 1_048_576,
      output: 65_536,
      input: everything,
      parameters: googleThinking,
    },
    {
      models: { 'gemma-4-26b-a4b-it': '2026-04-02', 'gemma-4-31b-it': '2026-04-02' },
      output: 32_768,
      input: ['text', 'image'],
      parameters: openTextOnly,
    },
    {
      ...vectors,
      models: { 'gemini-embedding-001': '2025-07-14' },
      context: 2_048,
      parameters: ['dimensions', 'encoding_format', 'input_type'],
      formats: ['google-embed'],
      dimensions: 3_072,
    },
  ],
  names: {
    'gemini-embedding-001': 'Gemini Embedding 001',
  },
  searches: {
    'gemini-2.5-pro': perPrompt,
    'gemini-2.5-flash': perPrompt,
    'gemini-2.5-flash-lite': perPrompt,
    'gemini-3-flash-preview': perSearch,
    'gemini-3.1-pro-preview': perSearch,
    'gemini-3.1-flash-lite': perSearch,
    'gemini-3.5-flash': perSearch,
    'gemini-3.5-flash-lite': perSearch,
    'gemini-3.6-flash': perSearch,
    'gemini-3.7-flash': perSearch,
    'gemini-3.8-flash': perSearch,
  },
}
