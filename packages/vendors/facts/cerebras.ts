import type { VendorFacts } from './facts.ts'
import { reasoningImages, reasoningText } from './open-models.ts'

/** https://inference-docs.cerebras.ai/models/overview */
export const cerebrasFacts: VendorFacts = {
  groups: [
    { ...reasoningText, models: { 'gpt-oss-120b': '2025-08-05' }, output: 40_960 },
    { ...reasoningImages, models: { 'gemma-4-31b': '2026-07-14' }, output: 40_960 },
  ],
}
