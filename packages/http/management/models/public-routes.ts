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

/** How long a list is told again as it was: what asks for it has no account, and may ask often. */
const keptMs = 60_000
/** The same for everybody: caches on the way may keep it, and ask anew behind an answer that is old. */
const cacheControl = 'public, max-age=60, stale-while-revalidate=300'

/** The list of models as everybody may know it, made once a minute. */
interface KeptList {
  text: string
  names: ReadonlySet<string>
  tillMs: number
}

/**
 * What models cost and who serves them, for people who have no account: where the operator says so alone.
 * Nothing here reads what is of one account.
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
      // By no name that is not listed: an alias may tell what the operator calls a customer.
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
