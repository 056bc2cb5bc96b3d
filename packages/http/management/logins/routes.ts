import { GatewayError } from '@turnpike/protocol'
import { Type } from 'typebox'
import { listAnswer, listOf } from '../page.ts'
import type { TokenScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import { endSession, endSessions, sessionsOf } from './account-sessions.ts'
import { sessionSchema } from './record.ts'
import { deletedSchema } from '../validation/fields.ts'

/** Where an account is signed in (browsers, command lines, devices and apps), and how to end it. */
export const registerSessions: ScopedRoutes<TokenScope> = (app, path, scope, services) => {
  const answer = { 200: listOf(sessionSchema) }

  app.get(path, { schema: { response: answer } }, async (request) => {
    const account = await scope.account(request)
    const rows = await sessionsOf(services, account, scope.signedInAccount(request)?.sessionId)
    return listAnswer({ rows, nextCursor: null }, (row) => row)
  })

  const params = Type.Object({ login_session_id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }) })
  app.delete(
    `${path}/:login_session_id`,
    { schema: { params, response: { 200: deletedSchema } } },
    async (request) => {
      const account = await scope.account(request)
      const { login_session_id: id } = request.params
      if (await endSession(services, account, id)) return { id, deleted: true as const }
      throw new GatewayError('not_found_error', 'Session not found.')
    },
  )

  app.post(`${path}/end-others`, { schema: { response: answer } }, async (request) => {
    const account = await scope.account(request)
    const currentId = scope.signedInAccount(request)?.sessionId
    await endSessions(services, account, currentId)
    const rows = await sessionsOf(services, account, currentId)
    return listAnswer({ rows, nextCursor: null }, (row) => row)
  })
}
