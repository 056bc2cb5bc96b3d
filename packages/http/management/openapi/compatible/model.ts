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
        description: 'Prices of requests with at least so many tokens of input.',
      }),
    ),
    service_tiers: Type.Optional(
      Type.Unsafe<Record<string, SinglePrices>>({
        type: 'object',
        additionalProperties: Type.Object(optionalPrices),
        description: 'Prices of answers in another service tier, by its name, in place of the plain ones.',
      }),
    ),
  },
  {
    title: 'Pricing',
    description:
      'USD per token (`request`: per request, `web_search`: per search, `grounded_prompt`: per answer that ' +
      'rests on searches), markup included. A price that is absent is the plainer one: cache read and ' +
      'write `prompt`, reasoning `completion`.',
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
          'Of the key’s account in its tier; null: none. What the model has not for itself, all models ' +
          'share.',
      },
    ),
    operations: Type.Array(Type.Enum([...operations]), {
      description: 'What it can be asked for; `generate`: an answer. Anything else is 400.',
    }),
    modalities: Type.Object({ input: Type.Array(Type.String()), output: Type.Array(Type.String()) }),
    dimensions: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Of its vectors, where the request does not say; null where that is not known, or it has none.',
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
