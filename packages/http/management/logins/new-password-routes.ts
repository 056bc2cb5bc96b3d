import { TooManyPasswords, type NewPasswordOf } from '@turnpike/identity'
import { invalidRequest } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { registerAudit } from '../audit/record-actions.ts'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import { mailedCode } from './email-proof-routes.ts'
import type { LoginServices } from './services.ts'
import { tooMany, typed } from './own-login-routes.ts'
import { requestObject } from '../validation/fields.ts'

/**
 * Sets a new password by a link in a mail, for people who have lost theirs and thus have no token. The audit
 * log names the password's owner as the actor.
 */
export function registerNewPassword(
  app: ManagementApp,
  path: string,
  mailed: NonNullable<LoginServices['mailed']>,
  services: ManagementServices,
): void {
  const done = new WeakMap<FastifyRequest, NewPasswordOf>()
  registerAudit(app, services, (request) => {
    const owner = done.get(request)
    return owner && { actor: 'user', subject: owner.user.id, accountId: owner.accountId }
  })
  const body = requestObject({ code: mailedCode, new_password: typed })
  const response = { 200: Type.Object({ changed: Type.Literal(true), email: Type.String() }) }
  app.post(path, { schema: { body, response } }, async (request) => {
    const { code, new_password: password } = request.body
    const address = services.callerAddress?.(request.raw) ?? request.ip
    const result = await mailed.setPassword(code, password, address).catch((error: unknown) => {
      if (error instanceof TooManyPasswords) return { waitSeconds: 1 }
      throw error
    })
    if ('waitSeconds' in result) throw tooMany(result.waitSeconds)
    if ('problem' in result)
      throw invalidRequest(result.problem.field, `\`${result.problem.field}\`: ${result.problem.expected}`)
    for (const keyId of result.keyIds) services.onKeyChanged(keyId)
    done.set(request, result)
    return { changed: true as const, email: result.user.email ?? '' }
  })
}
