import { TooManyPasswords, type OwnLoginResult } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { TokenScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import { nullable, requestObject } from '../validation/fields.ts'
import { endSessions } from './account-sessions.ts'
import { registerEmailProof } from './email-proof-routes.ts'

/** Longer than any password or address; the exact limits are checked where they are known. */
export const typed = Type.String({ minLength: 1, maxLength: 1_000 })
const done = { 200: Type.Object({ changed: Type.Literal(true) }) }
const changedEmail = {
  200: Type.Object({
    changed: Type.Boolean({ description: 'False: it changes when the emailed link is opened.' }),
    pending_email: nullable(Type.String({ description: 'The address that the link was sent to.' })),
  }),
}

/**
 * Lets people change their own login; each change requires their password. These routes are an app of their
 * own: no part of their bodies may be stored, so they accept no `Idempotency-Key`.
 */
export const registerOwnLogin: ScopedRoutes<TokenScope> = (app, path, scope, services) => {
  const { logins } = services
  if (logins === undefined) return

  app.post(
    `${path}/password`,
    { schema: { body: requestObject({ current_password: typed, new_password: typed }), response: done } },
    async (request) => {
      const account = await scope.account(request)
      const { current_password: currentPassword, new_password: newPassword } = request.body
      const own = { userId: account.subject ?? '', currentPassword, address: addressOf(request) }
      const keptId = scope.signedInAccount(request)?.sessionId
      await answer(async () => {
        const result = await logins.own.changePassword(own, newPassword, keptId)
        // The same step has ended the logins; whoever had the password may have signed in devices too.
        if ('done' in result) await endSessions({ ...services, logins: undefined }, account, keptId)
        return result
      })
      return { changed: true as const }
    },
  )

  if (logins.own.mayChangeEmail) {
    app.post(
      `${path}/email`,
      { schema: { body: requestObject({ current_password: typed, email: typed }), response: changedEmail } },
      async (request) => {
        const { subject } = await scope.account(request)
        const { current_password: currentPassword, email } = request.body
        const own = { userId: subject ?? '', currentPassword, address: addressOf(request) }
        const pending = await answer(() => logins.own.changeEmail(own, email))
        return { changed: pending === null, pending_email: pending }
      },
    )
  }

  if (logins.mailed !== undefined) {
    registerEmailProof(app, `${path}/login/verify-email`, scope, logins.mailed, addressOf)
  }

  function addressOf(request: FastifyRequest): string {
    return services.callerAddress?.(request.raw) ?? request.ip
  }
}

/** @returns the address that still has to be confirmed; null: the change is done */
async function answer(change: () => Promise<OwnLoginResult>): Promise<string | null> {
  const result = await change().catch((error: unknown) => {
    if (error instanceof TooManyPasswords) return { waitSeconds: 1 }
    throw error
  })
  if ('done' in result) return null
  if ('pendingEmail' in result) return result.pendingEmail
  if ('waitSeconds' in result) throw tooMany(result.waitSeconds)
  const { field, expected } = result.problem
  throw invalidRequest(field, `\`${field}\`: ${expected}`)
}

export function tooMany(retryAfterSeconds: number): GatewayError {
  return new GatewayError('rate_limit_error', 'Too many attempts. Wait before you try again.', {
    retryAfterSeconds,
  })
}
