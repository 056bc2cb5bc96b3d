import type { ModelOffers } from '@turnpike/gateway'
import { endpoints } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { pricingSchema } from '../openapi/compatible/model.ts'
import type { AccountScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import { nullable, requestObject } from '../validation/fields.ts'
import {
  measuredDays,
  measuredSchema,
  type MeasuredProvider,
  type ProviderFigures,
} from './provider-figures.ts'
import { notFound } from '../not-found.ts'

const endpoint = Type.Enum([...endpoints])

const providerSchema = Type.Object(
  {
    provider: Type.String(),
    pricing: pricingSchema,
    native_endpoints: Type.Array(endpoint, {
      description: 'Requests in these formats are passed through; others are translated.',
    }),
    state: nullable(
      Type.Enum(['working', 'resting'], {
        description:
          '`resting`: its circuit breaker is open, so it gets no requests for a while. Null: not ' +
          'known on this node yet.',
      }),
    ),
    measured: nullable(measuredSchema),
  },
  { title: 'ModelProvider' },
)

const providersSchema = Type.Object(
  {
    object: Type.Literal('model_providers'),
    model: Type.String({ description: 'Its identifier.' }),
    endpoints: Type.Array(endpoint, { description: 'The APIs that it can be called with.' }),
    measured_days: Type.Integer(),
    providers: Type.Array(providerSchema),
    fallbacks: Type.Array(Type.String(), {
      description: 'Fallback models if none of the providers answers.',
    }),
    choices: Type.Array(Type.Object({ model: Type.String(), tiers: Type.Array(Type.String()) }), {
      description: 'For auto-routing: its candidate models, with their tiers.',
    }),
  },
  { title: 'ModelProviders' },
)

/** The route names a model in its query, since identifiers of models contain slashes. */
export const providersRoute = {
  querystring: requestObject({
    model: Type.String({ minLength: 1, maxLength: 256, description: 'As in `GET /v1/models`.' }),
  }),
  response: { 200: providersSchema },
}

interface ProvidersServices {
  /** Undefined: the model does not exist. */
  offers: (model: string, accountId?: string) => ModelOffers | undefined
  figures: ProviderFigures
}

/** The providers of a model and their figures, for an account. */
export const registerModelProviders: ScopedRoutes<AccountScope, ProvidersServices> = (
  app,
  path,
  scope,
  { offers, figures },
) => {
  app.get(path, { schema: providersRoute }, async (request) => {
    const { id } = await scope.account(request)
    const found = offers(request.query.model, id) ?? noSuchModel()
    const [ofAll, own] = await Promise.all([figures.ofAll(found.model), figures.ofAccount(id, found.model)])
    return providersRecord(found, new Map([...own, ...ofAll]))
  })
}

export function providersRecord(
  { model, endpoints: by, offers, fallbacks, choices }: ModelOffers,
  measured: ReadonlyMap<string, MeasuredProvider>,
): Static<typeof providersSchema> {
  return {
    object: 'model_providers',
    model,
    endpoints: by,
    measured_days: measuredDays,
    providers: offers.map(({ provider, pricing, nativeEndpoints, state }) => ({
      provider,
      pricing,
      native_endpoints: nativeEndpoints,
      state,
      measured: measured.get(provider) ?? null,
    })),
    fallbacks: [...fallbacks],
    choices: choices.map((one) => ({ ...one, tiers: [...one.tiers] })),
  }
}

export function noSuchModel(): never {
  throw notFound('Model', 'model')
}
