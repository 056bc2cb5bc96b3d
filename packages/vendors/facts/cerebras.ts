import type { VendorFacts } from './facts.ts'
import { openReasoning } from './parameters.ts'

/** https://inference-docs.cerebras.ai/models/overview */
export const cerebrasFacts: VendorFacts = {
  groups: [
    { models: { 'gpt-oss-120b': '2025-08-05' }, output: 40_960, input: ['text'], parameters: openReasoning },
    {
      models: { 'gemma-4-31b': '2026-07-14' },
      output: 40_960,
      input: ['text', 'image'],
      parameters: openReasoning,
    },
  ],
}
