import type { ClaudeTraits } from '@turnpike/dialects'
import { traitsOf, type NamedModel, type TraitRow } from './rows.ts'

/** Another maker's model behind an endpoint of the same format: only what all support. */
export const otherModel: ClaudeTraits = {
  thinking: 'budget',
  thinkingOff: 'absent',
  summarizesThoughts: false,
  efforts: [],
  sampling: true,
  temperatureWithTopP: true,
  forcedTools: true,
  structuredOutput: false,
  systemTurns: false,
}

/** `claude-mythos-preview` is between the versions 4.6 and 4.7: it supports the fields of both. */
const previewVersion = 4.65

/** Later versions than the known ones count as the latest known one. */
const latestVersion = 5.5

/**
 * https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting, …/effort,
 * …/structured-outputs, …/mid-conversation-system-messages, and the page of each model
 */
const rows: readonly TraitRow<ClaudeTraits>[] = [
  { from: 3.7, traits: { thinking: 'budget' } },
  { from: 4.1, traits: { temperatureWithTopP: false } },
  { from: 4.5, traits: { structuredOutput: true } },
  { from: 4.5, only: ['opus'], traits: { efforts: ['low', 'medium', 'high'] } },
  { from: 4.6, traits: { thinking: 'either', efforts: ['low', 'medium', 'high', 'max'] } },
  { from: previewVersion, traits: { sampling: false } },
  { from: 4.7, traits: { thinking: 'adaptive', efforts: ['low', 'medium', 'high', 'xhigh', 'max'] } },
  { from: 4.8, traits: { systemTurns: true } },
  { from: 5, traits: { thinkingOff: 'disabled' } },
  { from: 5.1, except: ['haiku'], traits: { forcedTools: false } },
  { from: 5.5, except: ['haiku', 'sonnet'], traits: { thinkingOff: 'never' } },
  { from: 5.5, only: ['sonnet'], traits: { thinkingOff: 'between_tools' } },
  { from: 0, only: ['fable', 'mythos'], traits: { thinkingOff: 'never' } },
]

/** By the model's name, whatever a platform adds around it (`anthropic.claude-opus-4-6-v1`, `…@20250929`). */
export function claudeTraits(name: string): ClaudeTraits {
  if (!name.includes('claude')) return otherModel
  return traitsOf({ ...otherModel, thinking: 'none', summarizesThoughts: true }, rows, parseName(name))
}

/** Its version, such as 4.5; for a name without one, the latest known version. */
export function claudeVersion(name: string): number {
  return parseName(name).version
}

function parseName(name: string): NamedModel {
  const named = /claude-([a-z]+)-(\d)(?:[-.](\d)(?!\d))?(?!\d)/.exec(name)
  if (named !== null) return { family: named[1]!, version: Number(`${named[2]!}.${named[3] ?? 0}`) }
  const numbered = /claude-(?:v|instant-v?)?(\d)(?:[-.](\d)(?!\d))?(?:-([a-z]+))?/.exec(name)
  if (numbered !== null) {
    return { family: numbered[3] ?? '', version: Number(`${numbered[1]!}.${numbered[2] ?? 0}`) }
  }
  const family = /claude-([a-z]+)/.exec(name)?.[1] ?? ''
  return { family, version: name.includes('preview') ? previewVersion : latestVersion }
}
