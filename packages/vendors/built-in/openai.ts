import type { Pricing } from '@turnpike/protocol'
import type { CatalogModel } from '../model.ts'

/**
 * OpenAI's chat models: limits from https://platform.openai.com/docs/models, prices from
 * https://platform.openai.com/docs/pricing, USD per million tokens.
 */
interface Row {
  id: string
  name: string
  context: number
  output: number
  /** Input, cached input, output. */
  prices: [string, string | null, string]
  long?: { fromPromptTokens: number; prices: [string, string, string] }
  images: boolean
  reasoning: boolean
  /** Unix epoch seconds. */
  created: number
}

// oxfmt-ignore
const rows: Row[] = [
  { id: 'gpt-3.5-turbo', name: 'GPT-3.5 Turbo', context: 16_385, output: 4_096, prices: ['0.5', null, '1.5'], images: false, reasoning: false, created: 1_677_610_602 },
  { id: 'gpt-4-turbo', name: 'GPT-4 Turbo', context: 128_000, output: 4_096, prices: ['10', null, '30'], images: true, reasoning: false, created: 1_712_361_441 },
  { id: 'gpt-4o', name: 'GPT-4o', context: 128_000, output: 16_384, prices: ['2.5', '1.25', '10'], images: true, reasoning: false, created: 1_715_367_049 },
  { id: 'gpt-4o-mini', name: 'GPT-4o mini', context: 128_000, output: 16_384, prices: ['0.15', '0.075', '0.6'], images: true, reasoning: false, created: 1_721_172_741 },
  { id: 'gpt-4.1', name: 'GPT-4.1', context: 1_047_576, output: 32_768, prices: ['2', '0.5', '8'], images: true, reasoning: false, created: 1_744_316_542 },
  { id: 'gpt-4.1-mini', name: 'GPT-4.1 mini', context: 1_047_576, output: 32_768, prices: ['0.4', '0.1', '1.6'], images: true, reasoning: false, created: 1_744_318_173 },
  { id: 'gpt-4.1-nano', name: 'GPT-4.1 nano', context: 1_047_576, output: 32_768, prices: ['0.1', '0.025', '0.4'], images: true, reasoning: false, created: 1_744_321_707 },
  { id: 'o3-mini', name: 'o3-mini', context: 200_000, output: 100_000, prices: ['1.1', '0.55', '4.4'], images: false, reasoning: true, created: 1_737_146_383 },
  { id: 'o3', name: 'o3', context: 200_000, output: 100_000, prices: ['2', '0.5', '8'], images: true, reasoning: true, created: 1_744_225_308 },
  { id: 'o4-mini', name: 'o4-mini', context: 200_000, output: 100_000, prices: ['1.1', '0.275', '4.4'], images: true, reasoning: true, created: 1_744_225_351 },
  { id: 'gpt-5', name: 'GPT-5', context: 400_000, output: 128_000, prices: ['1.25', '0.125', '10'], images: true, reasoning: true, created: 1_754_425_777 },
  { id: 'gpt-5-mini', name: 'GPT-5 mini', context: 400_000, output: 128_000, prices: ['0.25', '0.025', '2'], images: true, reasoning: true, created: 1_754_425_928 },
  { id: 'gpt-5-nano', name: 'GPT-5 nano', context: 400_000, output: 128_000, prices: ['0.05', '0.005', '0.4'], images: true, reasoning: true, created: 1_754_426_384 },
  { id: 'gpt-5.1', name: 'GPT-5.1', context: 400_000, output: 128_000, prices: ['1.25', '0.125', '10'], images: true, reasoning: true, created: 1_762_800_673 },
  { id: 'gpt-5.2', name: 'GPT-5.2', context: 400_000, output: 128_000, prices: ['1.75', '0.175', '14'], images: true, reasoning: true, created: 1_765_313_051 },
  { id: 'gpt-5.4', name: 'GPT-5.4', context: 1_050_000, output: 128_000, prices: ['2.5', '0.25', '15'], long: { fromPromptTokens: 272_000, prices: ['5', '0.5', '22.5'] }, images: true, reasoning: true, created: 1_772_668_800 },
  { id: 'gpt-5.4-mini', name: 'GPT-5.4 mini', context: 400_000, output: 128_000, prices: ['0.75', '0.075', '4.5'], images: true, reasoning: true, created: 1_773_705_600 },
  { id: 'gpt-5.4-nano', name: 'GPT-5.4 nano', context: 400_000, output: 128_000, prices: ['0.2', '0.02', '1.25'], images: true, reasoning: true, created: 1_773_705_600 },
]

const commonParameters = [
  'max_completion_tokens',
  'n',
  'parallel_tool_calls',
  'response_format',
  'seed',
  'stop',
  'stream',
  'tool_choice',
  'tools',
]
const samplingParameters = [
  'frequency_penalty',
  'logprobs',
  'presence_penalty',
  'temperature',
  'top_logprobs',
  'top_p',
]

export const openaiModels: CatalogModel[] = rows.map((row) => ({
  id: `openai/${row.id}`,
  name: row.name,
  created: row.created,
  ownedBy: 'openai',
  contextLength: row.context,
  maxOutputTokens: row.output,
  pricing: pricingOf(row),
  modalities: { input: row.images ? ['text', 'image'] : ['text'], output: ['text'] },
  supportedParameters: [
    ...commonParameters,
    ...(row.reasoning ? ['reasoning_effort'] : samplingParameters),
  ].toSorted(),
  tiers: [],
  upstreams: [{ provider: 'openai', model: row.id }],
  fallbacks: [],
}))

function pricingOf(row: Row): Pricing {
  const pricing: Pricing = named(row.prices)
  if (row.long !== undefined) {
    pricing.overrides = [{ min_prompt_tokens: row.long.fromPromptTokens, ...named(row.long.prices) }]
  }
  return pricing
}

function named([input, cached, output]: [string, string | null, string]): Pricing {
  const cacheRead = cached === null ? {} : { input_cache_read: perToken(cached) }
  return { prompt: perToken(input), completion: perToken(output), ...cacheRead }
}

/** USD per million tokens to USD per token: the point moves six places. */
function perToken(perMillion: string): string {
  const [whole = '0', fraction = ''] = perMillion.split('.')
  const digits = whole.padStart(7, '0') + fraction
  const point = digits.length - fraction.length - 6
  const text = `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/0+$/, '').replace(/\.$/, '')
  return text.replace(/^0+(?=\d)/, '')
}
