import { operations, priceNames, type SinglePrices } from '@turnpike/protocol'
import { Type } from 'typebox'
import { nullable } from '../../validation/fields.ts'

const price = Type.String({ pattern: '^\\d+(\\.\\d+)?$' })

const optionalPrices = Object.fromEntries(priceNames.map((name) => [name, Type.Optional(price)]))

export const pricingSchema = Type.Object(
  {
    ...optionalPrices,
    prompt: price,
    completion: price,
    overrides: Type.Optional(
      Type.Array(Type.Object({ min_prompt_tokens: Type.Integer(), ...optionalPrices }), {
        description: 'Prices for requests with at least this many input tokens.',
      }),
    ),
    service_tiers: Type.Optional(
      Type.Unsafe<Record<string, SinglePrices>>({
        type: 'object',
        additionalProperties: Type.Object(optionalPrices),
        description: 'Prices for other service tiers, by name, instead of the standard ones.',
      }),
    ),
  },
  {
    title: 'Pricing',
    description:
      'USD per token (`request`: per request, `web_search`: per search, `grounded_prompt`: per answer ' +
      'that is grounded in searches), including markup. If a price is absent, the base price applies: ' +
      'cache read and write `prompt`, reasoning `completion`.',
  },
)

const perMinute = nullable(Type.Integer())

export const modelSchema = Type.Object(
  {
    id: Type.String({ description: '`<provider>/<model_id>`' }),
    object: Type.Literal('model'),
    created: Type.Integer({ description: 'Unix epoch seconds.' }),
    owned_by: Type.String(),
    name: Type.String(),
    context_length: Type.Integer(),
    max_output_tokens: Type.Integer(),
    pricing: pricingSchema,
    limits: Type.Object(
      {
        requests_per_minute: perMinute,
        input_tokens_per_minute: perMinute,
        output_tokens_per_minute: perMinute,
      },
      {
        description:
          'For the key’s account in its tier; null: none. Limits that the model does not have ' +
          'itself are shared by all models.',
      },
    ),
    operations: Type.Array(Type.Enum([...operations]), {
      description: 'Supported operations; `generate`: text generation. Anything else is 400.',
    }),
    modalities: Type.Object({ input: Type.Array(Type.String()), output: Type.Array(Type.String()) }),
    dimensions: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Default length of its vectors; null: unknown, or not an embedding model.',
    }),
    supported_parameters: Type.Array(Type.String()),
    tiers: Type.Array(Type.String()),
  },
  { title: 'Model' },
)

export const modelListSchema = Type.Object({ object: Type.Literal('list'), data: Type.Array(modelSchema) })

export const exampleModel = {
  id: 'openai/gpt-5-mini',
  object: 'model',
  created: 1754524800,
  owned_by: 'openai',
  name: 'GPT-5 mini',
  context_length: 400000,
  max_output_tokens: 128000,
  pricing: { prompt: '0.00000025', completion: '0.000002', input_cache_read: '0.000000025' },
  limits: {
    requests_per_minute: 3000,
    input_tokens_per_minute: 10000000,
    output_tokens_per_minute: 2000000,
  },
  operations: ['generate'],
  modalities: { input: ['text', 'image'], output: ['text'] },
  dimensions: null,
  supported_parameters: ['tools', 'response_format', 'reasoning'],
  tiers: [],
}
