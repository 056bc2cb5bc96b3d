import { modelOrders, perMillion, selectModels, type Model } from '@turnpike/api'
import * as z from 'zod'
import { reading, tool } from '../tool.ts'

const mostModels = 200
const usualModels = 30

const price = z.string().optional().describe('USD for a million tokens')

export const listModels = tool({
  name: 'list_models',
  title: 'List models',
  description:
    'The models that can be called, with their prices in USD for a million tokens. Without a filter there ' +
    'may be hundreds: say what you look for.',
  input: {
    filter: z
      .string()
      .optional()
      .describe('Words that the id or the name must contain, all of them: `claude haiku`'),
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
    total: z.number().describe('How many match, shown or not'),
  },
  annotations: reading,
  scopes: ['usage:read', 'chat'],
  async run(api, { filter = '', provider, sort, limit }) {
    const all = await api.models()
    const words = filter.split(/\s+/).filter(Boolean)
    const found = selectModels(all, { words, provider, order: sort })
    return { value: { models: found.slice(0, limit).map(shown), total: found.length } }
  },
})

function shown(model: Model): object {
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
