import { Type } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import type { AccountScope } from '../scope.ts'
import type { ManagementServices } from '../services.ts'
import { ledgerEntry, ledgerEntrySchema } from './record.ts'

/** An account's ledger entries, newest first. */
export function registerLedger(
  app: ManagementApp,
  path: string,
  scope: AccountScope,
  services: Pick<ManagementServices, 'ledger'>,
): void {
  app.get(
    path,
    {
      schema: {
        params: Type.Object(scope.params),
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: { 200: listOf(ledgerEntrySchema) },
      },
    },
    async (request) => {
      const { id } = await scope.account(request)
      return listAnswer(await services.ledger.list(id, pageOf(request.query)), ledgerEntry)
    },
  )
}
