import { Type } from 'typebox'
import type { AccountScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { epochSecondsOrNull, nullable, timestamp } from '../validation/fields.ts'
import { countryCodes } from './countries.ts'
import { billingChangeSchema, billingDetailsOf, billingFields, billingFieldsSchema } from './record.ts'

const detailsSchema = Type.Object(
  {
    object: Type.Literal('billing_details'),
    address: nullable(billingFieldsSchema),
    updated_at: nullable(timestamp),
    countries: Type.Array(Type.String(), { description: 'Allowed values of `country`.' }),
  },
  { title: 'BillingDetails' },
)

/** The name and address on an account's receipts, from the next payment on. */
export const registerBillingDetails: ScopedRoutes<
  AccountScope,
  Pick<ManagementServices, 'billingDetails' | 'clock'>
> = (app, path, scope, { billingDetails, clock }) => {
  const params = Type.Object(scope.params)
  const response = { 200: detailsSchema }

  const detailsFor = async (accountId: string) => {
    const found = await billingDetails.find(accountId)
    return {
      object: 'billing_details' as const,
      address: found === undefined ? null : billingFields(found),
      updated_at: epochSecondsOrNull(found?.updatedAtMs ?? null),
      countries: [...countryCodes],
    }
  }

  app.get(path, { schema: { params, response } }, async (request) =>
    detailsFor((await scope.account(request)).id),
  )

  app.put(path, { schema: { params, body: billingChangeSchema, response } }, async (request) => {
    const { id } = await scope.account(request)
    await billingDetails.keep(id, billingDetailsOf(request.body), clock())
    return detailsFor(id)
  })

  app.delete(path, { schema: { params, response } }, async (request) => {
    const { id } = await scope.account(request)
    await billingDetails.remove(id)
    return detailsFor(id)
  })
}
