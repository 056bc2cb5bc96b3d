import type { VendorFacts } from './facts.ts'
import { plainText } from './open-models.ts'
import { openReasoning } from './parameters.ts'

const video = ['text', 'image', 'video'] as const

/** https://platform.kimi.ai/docs/models; the vendor states no output limit other than the context. */
export const moonshotFacts: VendorFacts = {
  groups: [
    { ...plainText, models: { 'moonshot-v1-8k': '2024-02-05' }, output: 8_192 },
    { ...plainText, models: { 'moonshot-v1-32k': '2024-02-05' }, output: 32_768 },
    { ...plainText, models: { 'moonshot-v1-128k': '2024-02-05' }, output: 131_072 },
    {
      models: {
        'kimi-k2.5': '2026-01-27',
        'kimi-k2.6': '2026-04-21',
        'kimi-k2.7-code': '2026-06-12',
        'kimi-k2.7-code-highspeed': '2026-06-12',
      },
      output: 262_144,
      input: video,
      parameters: openReasoning,
    },
    { models: { 'kimi-k3': '2026-07-17' }, output: 1_048_576, input: video, parameters: openReasoning },
  ],
}
