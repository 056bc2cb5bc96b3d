import type { Pricing } from '@turnpike/protocol'
import { moderations } from './embeddings.ts'
import type { FactGroup } from './facts.ts'

/** https://platform.openai.com/docs/guides/moderation */
export const moderationsGroups: FactGroup[] = [
  {
    ...moderations,
    models: { 'omni-moderation-latest': '2024-09-26', 'omni-moderation-2024-09-26': '2024-09-26' },
    input: ['text', 'image'],
    context: 32_768,
    formats: ['openai-moderations'],
  },
]

export const moderationsNames = {
  'omni-moderation-latest': 'Omni Moderation (latest)',
  'omni-moderation-2024-09-26': 'Omni Moderation 2024-09-26',
}

/** Free, according to https://developers.openai.com/api/docs/models/omni-moderation-latest. */
const nothing: Pricing = { prompt: '0', completion: '0' }

export const moderationsPricing: Record<string, Pricing> = {
  'omni-moderation-latest': nothing,
  'omni-moderation-2024-09-26': nothing,
}
