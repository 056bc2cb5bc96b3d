import { type Static } from 'typebox'
import { modelListSchema } from '../openapi/compatible/model.ts'
import type { AccountScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { requestObject } from '../validation/fields.ts'

type Model = Static<typeof modelListSchema>['data'][number]

/** The models and prices of `GET /v1/models`, for users, who may have no key at hand. */
export const registerModels: ScopedRoutes<AccountScope, Pick<ManagementServices, 'models'>> = (
  app,
  path,
  scope,
  { models },
) => {
  const schema = {
    querystring: requestObject({}),
    response: { 200: modelListSchema },
  }
  app.get(path, { schema }, async (request) => {
    const data = models(await scope.account(request)) as Model[]
    return { object: 'list' as const, data }
  })
}
