import { Type } from 'typebox'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import type { AccountScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { fileFormats, sendFile } from '../files/stream.ts'
import { ledgerFile, ledgerRows } from './export.ts'
import { ledgerFilter, ledgerQuery } from './filter.ts'
import { ledgerEntry, ledgerEntrySchema } from './record.ts'
import { requestObject } from '../validation/fields.ts'

/** An account's ledger entries, newest first. */
export const registerLedger: ScopedRoutes<
  AccountScope,
  Pick<ManagementServices, 'ledger' | 'apiKeys' | 'clock' | 'logger'>
> = (app, path, scope, services) => {
  const params = Type.Object(scope.params)
  app.get(
    path,
    {
      schema: {
        params,
        querystring: requestObject({ ...ledgerQuery, ...pageQuery }),
        response: { 200: listOf(ledgerEntrySchema) },
      },
    },
    async (request) => {
      const { id } = await scope.account(request)
      const { limit, cursor, ...query } = request.query
      const filter = await ledgerFilter(query, id, services.apiKeys)
      const page = pageOf({ ...(limit && { limit }), ...(cursor && { cursor }) })
      return listAnswer(await services.ledger.list(id, page, filter), ledgerEntry)
    },
  )

  const format = Type.Enum([...fileFormats])
  const querystring = requestObject({ ...ledgerQuery, format })
  app.get(`${path}/export`, { schema: { params, querystring } }, async (request, reply) => {
    const { id } = await scope.account(request)
    const { format: fileFormat, ...query } = request.query
    const rows = ledgerRows(services.ledger, id, await ledgerFilter(query, id, services.apiKeys))
    const file = await ledgerFile(rows, fileFormat, services.clock(), (error) =>
      services.logger.error({ requestId: request.id, error }, 'A ledger export was interrupted.'),
    )
    return sendFile(request, reply, file)
  })
}
