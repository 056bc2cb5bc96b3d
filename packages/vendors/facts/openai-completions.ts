import type { Pricing } from '@turnpike/protocol'
import type { FactGroup } from './facts.ts'
import { openaiCompletions } from './parameters.ts'

/** Models served by `/v1/completions` only, as described at https://developers.openai.com/api/docs/models. */

const completions = {
  input: ['text'],
  parameters: openaiCompletions,
  formats: ['openai-completions'],
} as const

export const completionsGroups: FactGroup[] = [
  { ...completions, models: { 'gpt-3.5-turbo-instruct': '2023-08-24' }, context: 4_096, output: 4_096 },
  {
    ...completions,
    models: { 'babbage-002': '2023-08-21', 'davinci-002': '2023-08-21' },
    context: 16_384,
    output: 16_384,
  },
]

/** The data only has their input prices (https://platform.openai.com/docs/pricing#legacy-models). */
export const basePricing: Record<string, Pricing> = {
  'babbage-002': { prompt: '0.0000004', completion: '0.0000004' },
  'davinci-002': { prompt: '0.000002', completion: '0.000002' },
}

export const completionsNames: Record<string, string> = {
  'gpt-3.5-turbo-instruct': 'GPT-3.5 Turbo Instruct',
}
