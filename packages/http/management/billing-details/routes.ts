import { Type } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import type { AccountScope } from '../scope.ts'
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

/** Whom the receipts of an account are made out to, from the next payment on. */
export function registerBillingDetails(
  app: ManagementApp,
  path: string,
  scope: AccountScope,
  { billingDetails, clock }: Pick<ManagementServices, 'billingDetails' | 'clock'>,
): void {
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
