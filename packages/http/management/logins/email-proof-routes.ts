import type { MailedCodes, ProofRefusal } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import type { TokenScope } from '../scope.ts'

/** What `newLinkCode` makes. */
export const mailedCode = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'What stands behind the `#` of the link in the mail.',
  'x-expected': 'the code of a link, whole: 43 characters',
})

const refusals: Record<ProofRefusal, () => GatewayError> = {
  unknown: () =>
    invalidRequest(
      'code',
      '`code`: expected one that was not used, is not older than a day, and is for your address of now.',
    ),
  'other-user': () =>
    invalidRequest('code', '`code`: expected one of your own: this one is of another account.'),
  'email-taken': () =>
    new GatewayError('conflict_error', 'There is another account with this email, and it is verified.'),
}

/** How people show that an address is theirs: by a link in a mail, where they are signed in. */
export function registerEmailProof(
  app: ManagementApp,
  path: string,
  scope: TokenScope,
  mailed: Pick<MailedCodes, 'askToVerify' | 'prove'>,
  addressOf: (request: FastifyRequest) => string,
): void {
  const sent = Type.Object({
    object: Type.Literal('verification_mail'),
    email: Type.String({ description: 'Whom it was sent to.' }),
  })
  app.post(path, { schema: { response: { 200: sent } } }, async (request) => {
    const { subject } = await scope.account(request)
    const asked = await mailed.askToVerify(subject ?? '', addressOf(request))
    if ('sentTo' in asked) return { object: 'verification_mail' as const, email: asked.sentTo }
    if ('waitSeconds' in asked)
      throw new GatewayError('rate_limit_error', 'Too many such mails were sent today.', {
        retryAfterSeconds: asked.waitSeconds,
      })
    throw new GatewayError(
      'conflict_error',
      asked.refused === 'not-mailable'
        ? 'No mail can be sent to your address: change it.'
        : 'You have no address that is to be verified.',
    )
  })

  const body = Type.Object({ code: mailedCode }, { additionalProperties: false })
  const proved = Type.Object({ email: Type.String(), email_verified: Type.Literal(true) })
  app.post(`${path}/confirm`, { schema: { body, response: { 200: proved } } }, async (request) => {
    const { subject } = await scope.account(request)
    const result = await mailed.prove(request.body.code, subject ?? '')
    if ('refused' in result) throw refusals[result.refused]()
    return { email: result.email, email_verified: true as const }
  })
}
