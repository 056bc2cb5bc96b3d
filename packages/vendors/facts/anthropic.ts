import type { VendorFacts } from './facts.ts'
import { anthropicAdaptive, anthropicThinking } from './parameters.ts'

const files = ['text', 'image', 'file'] as const
const thinking = { input: files, parameters: anthropicThinking }
const adaptive = { input: files, parameters: anthropicAdaptive }

/** https://platform.claude.com/docs/en/about-claude/models/overview and the page of each model. */
export const anthropicFacts: VendorFacts = {
  groups: [
    {
      ...thinking,
      models: { 'claude-opus-4-0': '2025-05-22', 'claude-opus-4-1': '2025-08-05' },
      output: 32_000,
    },
    {
      ...thinking,
      models: {
        'claude-sonnet-4-0': '2025-05-22',
        'claude-sonnet-4-5': '2025-09-29',
        'claude-haiku-4-5': '2025-10-15',
        'claude-opus-4-5': '2025-11-24',
        'claude-sonnet-4-6': '2026-02-17',
      },
      output: 64_000,
    },
    { ...thinking, models: { 'claude-opus-4-6': '2026-02-05' }, output: 128_000 },
    {
      ...adaptive,
      models: {
        'claude-opus-4-7': '2026-04-16',
        'claude-opus-4-8': '2026-05-28',
        'claude-fable-5': '2026-06-09',
        'claude-sonnet-5': '2026-06-30',
        'claude-opus-5': '2026-07-24',
        'claude-opus-5-5': '2026-09-22',
        'claude-fable-5-1': '2026-09-22',
      },
      output: 128_000,
    },
  ],
  aliases: {
    'claude-sonnet-4-20250514': 'claude-sonnet-4-0',
    'claude-opus-4-20250514': 'claude-opus-4-0',
  },
}
