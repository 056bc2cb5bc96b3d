import type { VendorFacts } from './facts.ts'
import { plainImages, reasoningImages, reasoningText } from './open-models.ts'

/** https://docs.fireworks.ai/serverless/pricing; without a stated output limit, the context is the limit. */
export const fireworksFacts: VendorFacts = {
  groups: [
    {
      ...reasoningText,
      models: {
        'accounts/fireworks/models/gpt-oss-120b': '2025-08-05',
        'accounts/fireworks/models/gpt-oss-20b': '2025-08-05',
      },
      output: 32_768,
    },
    {
      ...reasoningText,
      models: {
        'accounts/fireworks/models/deepseek-v4-flash': '2026-04-24',
        'accounts/fireworks/models/deepseek-v4-pro': '2026-04-24',
      },
      output: 384_000,
    },
    { ...reasoningText, models: { 'accounts/fireworks/models/deepseek-v3p2': '2025-12-01' }, output: 65_536 },
    {
      ...reasoningText,
      models: {
        'accounts/fireworks/models/glm-5p1': '2026-04-01',
        'accounts/fireworks/routers/glm-5p1-fast': '2026-04-01',
        'accounts/fireworks/models/glm-4p7': '2025-12-22',
      },
      context: 202_752,
      output: 131_072,
    },
    {
      ...reasoningText,
      models: {
        'accounts/fireworks/models/glm-5p2': '2026-06-16',
        'accounts/fireworks/routers/glm-5p2-fast': '2026-06-26',
      },
      output: 131_072,
    },
    {
      ...reasoningImages,
      models: {
        'accounts/fireworks/models/kimi-k2p5': '2026-01-27',
        'accounts/fireworks/models/kimi-k2p6': '2026-04-17',
        'accounts/fireworks/routers/kimi-k2p6-fast': '2026-04-17',
        'accounts/fireworks/models/kimi-k2p7-code': '2026-06-12',
        'accounts/fireworks/routers/kimi-k2p7-code-fast': '2026-06-12',
      },
      context: 262_144,
      output: 262_144,
    },
    {
      ...reasoningImages,
      models: {
        'accounts/fireworks/models/kimi-k3': '2026-07-23',
        'accounts/fireworks/routers/kimi-k3-fast': '2026-07-23',
      },
      output: 1_040_000,
    },
    { ...plainImages, models: { 'accounts/fireworks/models/qwen3p7-plus': '2026-06-12' }, output: 65_536 },
  ],
}
