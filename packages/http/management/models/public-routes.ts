import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type, type Static } from 'typebox'
import { registerEntityTags } from '../answers/entity-tag.ts'
import type { ManagementApp } from '../management-app.ts'
import { modelListSchema } from '../openapi/compatible/model.ts'
import type { ManagementServices } from '../services.ts'
import type { ProviderFigures } from './provider-figures.ts'
import { noSuchModel, providersRecord, providersRoute } from './providers-routes.ts'
import { requestObject } from '../validation/fields.ts'

type ModelList = Static<typeof modelListSchema>

/** How long a list is reused: anonymous callers may ask often. */
const keptMs = 60_000
/** The same for everybody, so shared caches may store it, and refresh an old response in the background. */
const cacheControl = 'public, max-age=60, stale-while-revalidate=300'

/** The public list of models, rebuilt once a minute. */
interface KeptList {
  text: string
  names: ReadonlySet<string>
  tillMs: number
}

/**
 * What models cost and who serves them, for people without an account, if the operator allows it. Nothing
 * here reads an account's data.
 */
export async function registerPublicModels(
  app: ManagementApp,
  publicModels: NonNullable<ManagementServices['publicModels']>,
  services: Pick<ManagementServices, 'modelOffers' | 'clock'> & { figures: ProviderFigures },
): Promise<void> {
  const { modelOffers, figures } = services
  let kept: KeptList | undefined
  const list = (): KeptList => {
    const nowMs = services.clock()
    if (kept === undefined || nowMs >= kept.tillMs) kept = toKeptList(publicModels(), nowMs + keptMs)
    return kept
  }
  await app.register(async (plain) => {
    const open = plain.withTypeProvider<TypeBoxTypeProvider>()
    registerEntityTags(open, cacheControl)
    const querystring = requestObject({})
    const response = { 200: Type.Unsafe<string>(modelListSchema) }
    open.get('/api/v1/public/models', { schema: { querystring, response } }, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').serializer(String).send(list().text),
    )
    open.get('/api/v1/public/models/providers', { schema: providersRoute }, async ({ query: { model } }) => {
      // Only names that are listed: an alias may reveal what the operator calls a customer.
      const found = list().names.has(model) ? modelOffers(model) : undefined
      if (found === undefined) return noSuchModel()
      return providersRecord(found, await figures.ofAll(found.model))
    })
  })
}

function toKeptList(models: object[], tillMs: number): KeptList {
  const data = models as ModelList['data']
  const text = JSON.stringify({ object: 'list', data } satisfies ModelList)
  return { text, names: new Set(data.map(({ id }) => id)), tillMs }
}
