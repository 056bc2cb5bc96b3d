import { canonicalEmail, hashLinkCode, newLinkCode } from '@turnpike/identity'
import { Type } from 'typebox'
import { email } from '../accounts/record.ts'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { identifierOf, requestObject } from '../validation/fields.ts'
import { mailInvitation, mailLimits, wantsMail } from './mail-invitation.ts'
import { createdInvitationSchema, invitationRecord, invitationSchema, role } from './record.ts'
import { refusing } from './refusal.ts'
import { requireOrganization } from './routes.ts'
import { notFound } from '../not-found.ts'

const validMs = 7 * 24 * 60 * 60 * 1000
const mostOpen = 200

const creationSchema = requestObject({
  role,
  email: Type.Optional(
    Type.Unsafe<string>({
      ...email,
      description: 'Only someone with this verified address can join with it.',
    }),
  ),
  send_mail: Type.Optional(
    Type.Boolean({
      description: 'Whether the link is emailed to `email`. Default: true if the gateway has a mail server.',
    }),
  ),
})

/** Links by which people join the current organization. */
export const registerOrganizationInvitations: ScopedRoutes = (app, path, scope, services) => {
  const { organizations } = services
  const params = Type.Object(scope.params)
  app.post(
    path,
    { schema: { params, body: creationSchema, response: { 201: createdInvitationSchema } } },
    async (request, reply) => {
      const { id: organizationId, displayName } = await requireOrganization(request, scope)
      const code = newLinkCode()
      // Shown to nobody, since it also proves who owns the mailbox.
      const mailedCode = wantsMail(request.body, services.notifications) ? newLinkCode() : null
      if (mailedCode !== null && scope.isOwn)
        services.notifications?.mayMailFrom(services.callerAddress?.(request.raw) ?? request.ip)
      const nowMs = services.clock()
      const { role: offered, email: address } = request.body
      const invitation = await organizations
        .invite(
          {
            organizationId,
            codeHash: hashLinkCode(code),
            email: address === undefined ? null : canonicalEmail(address),
            role: offered,
            by: scope.changer(request),
            expiresAtMs: nowMs + validMs,
            mostOpen,
            mail: mailedCode === null ? null : { codeHash: hashLinkCode(mailedCode), limits: mailLimits },
          },
          nowMs,
        )
        .catch(refusing('invitation'))
      const page = pageOfLinks(services)
      const words = { organizationName: displayName ?? organizationId, url: page + mailedCode }
      const mailed = mailedCode !== null && (await mailInvitation({ ...words, invitation }, services))
      return reply.code(201).send({ ...invitationRecord(invitation, nowMs), url: page + code, mailed })
    },
  )

  const querystring = requestObject(pageQuery)
  app.get(
    path,
    { schema: { params, querystring, response: { 200: listOf(invitationSchema) } } },
    async (request) => {
      const { id } = await requireOrganization(request, scope)
      const page = await organizations.invitations(id, pageOf(request.query))
      return listAnswer(page, (one) => invitationRecord(one, services.clock()))
    },
  )

  const one = Type.Object({ ...scope.params, invitation_id: identifierOf('oin') })
  app.delete(
    `${path}/:invitation_id`,
    { schema: { params: one, response: { 200: invitationSchema } } },
    async (request) => {
      const account = await scope.account(request)
      if (account.kind !== 'organization') throw notFound('Invitation')
      const nowMs = services.clock()
      const revoked = await organizations
        .revokeInvitation(account.id, request.params.invitation_id, scope.changer(request), nowMs)
        .catch(refusing('invitation'))
      return invitationRecord(revoked, nowMs)
    },
  )
}

/** The code follows `#`, so that it is sent to no server, nor to pages linked from there. */
function pageOfLinks({ publicUrl }: Pick<ManagementServices, 'publicUrl'>): string {
  return `${publicUrl?.() ?? ''}/join#`
}
