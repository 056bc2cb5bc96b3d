import { thinkingLevels, type GeminiTraits } from '@turnpike/dialects'
import { traitsOf, type TraitRow } from './rows.ts'

const first: GeminiTraits = {
  thinking: 'none',
  budget: { least: 0, most: 24_576 },
  levels: [],
  validatesCalls: false,
  demandsSignatures: false,
  mediaInResults: false,
  jsonBesideTools: false,
}

/**
 * https://ai.google.dev/gemini-api/docs/thinking#set-budget and #thinking-levels: 2.5 Pro always reasons a
 * little; in the third generation reasoning cannot be turned off, Pro and Flash from 3.7 on have no
 * `MINIMAL`, and 3 Pro had no `MEDIUM`.
 */
const rows: readonly TraitRow<GeminiTraits>[] = [
  { from: 2.5, traits: { thinking: 'budget', validatesCalls: true } },
  { from: 2.5, only: ['pro'], traits: { budget: { least: 128, most: 32_768 } } },
  {
    from: 3,
    traits: {
      thinking: 'levels',
      budget: { least: 0, most: 32_768 },
      levels: ['LOW', 'MEDIUM', 'HIGH'],
      demandsSignatures: true,
      mediaInResults: true,
      jsonBesideTools: true,
    },
  },
  { from: 3, below: 3.1, only: ['pro'], traits: { levels: ['LOW', 'HIGH'] } },
  { from: 3, below: 3.7, only: ['flash'], traits: { levels: thinkingLevels } },
  { from: 3, only: ['flash-lite'], traits: { levels: thinkingLevels } },
]

/** By name, such as `gemini-2.5-flash`; without a number (`gemini-flash-latest`), the newest. */
export function geminiTraits(name: string): GeminiTraits {
  const version = /(?:^|\/)gemini-(\d+(?:\.\d+)?)/.exec(name)?.[1]
  const family = ['pro', 'flash-lite', 'flash'].find((one) => name.includes(`-${one}`)) ?? ''
  return traitsOf(first, rows, { family, version: version === undefined ? Infinity : Number(version) })
}
