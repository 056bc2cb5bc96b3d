import { Readable } from 'node:stream'
import { GatewayError } from '@turnpike/protocol'
import { isoDay } from '../files/stream.ts'
import type { TokenScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import { ownData } from './own-data.ts'
import { zipOf } from './zip.ts'
import { requestObject } from '../validation/fields.ts'

/** Exports at a time on one node; each reads page after page for as long as its client downloads. */
const mostAtOnce = 4
const retryAfterSeconds = 30

/** A person's own data as a ZIP that is built while it is sent, one page in memory at a time. */
export const registerDataExport: ScopedRoutes<TokenScope> = (app, path, scope, services) => {
  /** Accounts whose export is in progress. */
  const underWay = new Set<string>()

  app.get(path, { schema: { querystring: requestObject({}) } }, async (request, reply) => {
    const account = await scope.account(request)
    const name = `turnpike-${account.id}-${isoDay(services.clock())}.zip`
    reply.headers({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${name}"`,
    })
    if (request.method === 'HEAD') return reply.send()
    if (underWay.has(account.id) || underWay.size >= mostAtOnce) throw busy()
    const entries = ownData(account, scope.signedInAccount(request)?.sessionId, services)
    const body = Readable.from(zipOf(entries, services.clock()), { objectMode: false })
    underWay.add(account.id)
    body.on('close', () => underWay.delete(account.id))
    body.on('error', (error) =>
      services.logger.error({ requestId: request.id, error }, 'A data export was interrupted.'),
    )
    return reply.send(body)
  })
}

function busy(): GatewayError {
  const message = 'Another data export is in progress. Try again later.'
  return new GatewayError('rate_limit_error', message, { retryAfterSeconds })
}
