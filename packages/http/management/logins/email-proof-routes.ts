import type { MailedCodes, ProofRefusal } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import type { TokenScope } from '../access/scope.ts'
import { requestObject } from '../validation/fields.ts'

/** The format of `newLinkCode`. */
export const mailedCode = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'The part after `#` in the link from the email.',
  'x-expected': 'the full code of a link: 43 characters',
})

const refusals: Record<ProofRefusal, () => GatewayError> = {
  unknown: () =>
    invalidRequest(
      'code',
      '`code`: expected a code that is unused, less than a day old, and for your current address.',
    ),
  'other-user': () =>
    invalidRequest(
      'code',
      '`code`: this code belongs to another account. Sign in with the account that it was sent to.',
    ),
  'email-taken': () => new GatewayError('conflict_error', 'Another account has already verified this email.'),
}

/** Lets people who are signed in verify their address by a link in a mail. */
export function registerEmailProof(
  app: ManagementApp,
  path: string,
  scope: TokenScope,
  mailed: Pick<MailedCodes, 'askToVerify' | 'prove'>,
  addressOf: (request: FastifyRequest) => string,
): void {
  const sent = Type.Object({
    object: Type.Literal('verification_mail'),
    email: Type.String({ description: 'The recipient.' }),
  })
  app.post(path, { schema: { response: { 200: sent } } }, async (request) => {
    const { subject } = await scope.account(request)
    const outcome = await mailed.askToVerify(subject ?? '', addressOf(request))
    if ('sentTo' in outcome) return { object: 'verification_mail' as const, email: outcome.sentTo }
    if ('waitSeconds' in outcome)
      throw new GatewayError(
        'rate_limit_error',
        'Too many of these emails were sent today. Try again tomorrow.',
        {
          retryAfterSeconds: outcome.waitSeconds,
        },
      )
    throw new GatewayError(
      'conflict_error',
      outcome.refused === 'not-mailable'
        ? 'Your address cannot receive email. Change it first.'
        : 'There is no address to verify.',
    )
  })

  const body = requestObject({ code: mailedCode })
  const proved = Type.Object({ email: Type.String(), email_verified: Type.Literal(true) })
  app.post(`${path}/confirm`, { schema: { body, response: { 200: proved } } }, async (request) => {
    const { subject } = await scope.account(request)
    const result = await mailed.prove(request.body.code, subject ?? '')
    if ('refused' in result) throw refusals[result.refused]()
    return { email: result.email, email_verified: true as const }
  })
}
