import { modelOrders, perMillion, selectModels, type Model } from '@turnpike/api'
import * as z from 'zod'
import { reading, tool } from '../tool.ts'

const mostModels = 200
const usualModels = 30

const price = z.string().optional().describe('USD per million tokens')

export const listModels = tool({
  name: 'list_models',
  title: 'List models',
  description:
    'The models that can be called, with prices in USD per million tokens. Without a filter there ' +
    'may be hundreds, so search for what you need.',
  input: {
    filter: z.string().optional().describe('Words that the id or name must all contain: `claude haiku`'),
    provider: z.string().optional().describe('Models of one provider: `openai`'),
    sort: z.enum(modelOrders).default('id').describe('`input` and `output`: the cheapest first'),
    limit: z.number().int().min(1).max(mostModels).default(usualModels),
  },
  output: {
    models: z.array(
      z.object({
        id: z.string(),
        name: z.string().optional(),
        input: price,
        output: price,
        cached_input: price,
        context_length: z.number().nullish(),
        max_output_tokens: z.number().nullish(),
        modalities: z.unknown(),
        tiers: z.array(z.string()).optional(),
      }),
    ),
    total: z.number().describe('Number of matches, including those not shown'),
  },
  annotations: reading,
  scopes: ['usage:read', 'chat'],
  async run(api, { filter = '', provider, sort, limit }) {
    const all = await api.models()
    const words = filter.split(/\s+/).filter(Boolean)
    const found = selectModels(all, { words, provider, order: sort })
    return { value: { models: found.slice(0, limit).map(toListedModel), total: found.length } }
  },
})

function toListedModel(model: Model): object {
  const { id, name, context_length, max_output_tokens, modalities, tiers } = model
  return {
    id,
    name,
    input: perMillion(model, 'prompt'),
    output: perMillion(model, 'completion'),
    cached_input: perMillion(model, 'input_cache_read'),
    context_length,
    max_output_tokens,
    modalities,
    tiers,
  }
}
