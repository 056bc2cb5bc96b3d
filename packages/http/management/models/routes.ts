import { Type, type Static } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { modelListSchema } from '../openapi/compatible/model.ts'
import type { AccountScope } from '../scope.ts'
import type { ManagementServices } from '../services.ts'

type Model = Static<typeof modelListSchema>['data'][number]

/** What can be called, at which prices: as `GET /v1/models`, for users, who may have no key at hand. */
export function registerModels(
  app: ManagementApp,
  path: string,
  scope: AccountScope,
  { models }: Pick<ManagementServices, 'models'>,
): void {
  const schema = {
    querystring: Type.Object({}, { additionalProperties: false }),
    response: { 200: modelListSchema },
  }
  app.get(path, { schema }, async (request) => {
    const data = models(await scope.account(request)) as Model[]
    return { object: 'list' as const, data }
  })
}
