import type { Pricing } from '@turnpike/protocol'
import type { CatalogModel } from '../model.ts'
import data from './openai.json' with { type: 'json' }

/**
 * A row of openai.json: OpenAI's chat models, limits from https://platform.openai.com/docs/models, prices
 * from
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

const rows = data as unknown as Row[]

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
