import type { OpenaiTraits } from '@turnpike/dialects'
import { traitsOf, type NamedModel, type TraitRow } from './rows.ts'

/** Another maker's model behind an OpenAI-compatible server: nothing is known about it. */
export const otherModel: OpenaiTraits = {
  efforts: undefined,
  fixedSampling: false,
  phases: false,
  streams: true,
  livesBy: [],
}

const oldEfforts = ['low', 'medium', 'high']
const efforts = ['none', 'low', 'medium', 'high', 'xhigh']

/**
 * https://developers.openai.com/api/docs/guides/reasoning and the page of each model. A family is what
 * follows the version; the o-series is older than all versions of GPT-5.
 */
const rows: readonly TraitRow<OpenaiTraits>[] = [
  { from: 1, below: 5, traits: { efforts: oldEfforts, fixedSampling: true } },
  { from: 1, below: 2, only: ['pro'], traits: { streams: false } },
  {
    from: 1,
    below: 5,
    only: ['deep-research'],
    traits: {
      efforts: ['medium'],
      livesBy: ['web_search', 'web_search_preview', 'file_search', 'mcp'],
    },
  },
  { from: 5, traits: { efforts: ['minimal', 'low', 'medium', 'high'] } },
  { from: 5, below: 5.1, traits: { fixedSampling: true } },
  { from: 5.1, traits: { efforts: efforts.slice(0, -1) } },
  { from: 5.2, traits: { efforts } },
  // "Preserve and resend phase on all assistant messages": the reference of `input`.
  { from: 5.3, only: ['codex'], traits: { phases: true } },
  { from: 5.4, traits: { phases: true } },
  // https://developers.openai.com/api/docs/guides/latest-model
  { from: 5.6, traits: { efforts: [...efforts, 'max'] } },
  { from: 5, only: ['pro', 'codex', 'codex-max', 'codex-mini'], traits: { fixedSampling: true } },
  { from: 5, only: ['codex', 'codex-mini'], traits: { efforts: oldEfforts } },
  { from: 5, only: ['codex-max'], traits: { efforts: [...oldEfforts, 'xhigh'] } },
  { from: 5.2, only: ['codex', 'codex-mini'], traits: { efforts: [...oldEfforts, 'xhigh'] } },
  { from: 5, below: 5.1, only: ['pro'], traits: { efforts: ['high'], streams: false } },
  { from: 5.1, only: ['pro'], traits: { efforts: ['medium', 'high', 'xhigh'] } },
  // These do not reason.
  { from: 5, only: ['chat', 'chat-latest'], traits: otherModel },
]

/** By the model's name at OpenAI, with or without a date. */
export function openaiTraits(name: string): OpenaiTraits {
  if (name.startsWith('computer-use-preview'))
    return { ...otherModel, fixedSampling: true, livesBy: ['computer_use_preview'] }
  if (name.startsWith('codex-mini')) return { ...otherModel, efforts: oldEfforts, fixedSampling: true }
  const model = parseName(name)
  return model === undefined ? otherModel : traitsOf(otherModel, rows, model)
}

/** Undefined for models that do not reason. */
function parseName(name: string): NamedModel | undefined {
  const [, series, version, variant = ''] =
    /^(o|gpt-)(\d(?:\.\d+)?)(?:-((?:[a-z]+-)*[a-z]+))?(?:-\d|$)/.exec(name) ?? []
  if (version === undefined || (series === 'gpt-' && Number(version) < 5)) return undefined
  return { family: variant.replace(/^mini-(?=deep)/, ''), version: Number(version) }
}
