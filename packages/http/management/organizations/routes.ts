import { hashLinkCode, keyFates, noSuchOrganization, type Account } from '@turnpike/identity'
import { invalidRequest } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { defaultTier } from '../accounts/defaults.ts'
import { displayName } from '../accounts/record.ts'
import { close, closedSchema } from '../closing/close.ts'
import { listOf } from '../page.ts'
import type { AccountScope, TokenScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { epochSeconds, timestamp, requestObject } from '../validation/fields.ts'
import { memberRecord, organizationRecord, organizationSchema, removedMemberSchema, role } from './record.ts'
import { invitationOver, refusing } from './refusal.ts'
import { removeMember } from './remove-member.ts'

const mostOfPerson = 10
/** The roles that receive its events by mail at first, if there is a mail server. */
const defaultToldRoles = ['owner', 'billing'] as const
/** A code has 43 characters. */
const code = Type.String({
  minLength: 20,
  maxLength: 100,
  description: 'The part after `#` in the link.',
})
const codeBody = requestObject({ code })

const previewSchema = Type.Object(
  {
    object: Type.Literal('organization_invitation_preview'),
    organization_name: Type.String({ description: 'The name of the organization.' }),
    role,
    is_for_address: Type.Boolean({ description: 'True: only for one verified address.' }),
    expires_at: timestamp,
  },
  { title: 'OrganizationInvitationPreview' },
)

/** The organizations of the person who is signed in: created, listed, joined. */
export const registerOrganizations: ScopedRoutes<TokenScope> = (app, base, scope, services) => {
  const { organizations } = services
  const body = requestObject({ name: displayName })
  app.post(
    `${base}/organizations`,
    { schema: { body, response: { 201: organizationSchema } } },
    async (request, reply) => {
      const { id: personId } = await scope.account(request)
      const tier = services.defaultTier ?? defaultTier
      const { maxOrganizations = mostOfPerson } = services
      const id = await organizations
        .create(
          {
            name: request.body.name,
            personId,
            tier,
            toldRoles: services.notifications?.ask === undefined ? [] : defaultToldRoles,
            mostOfPerson: maxOrganizations,
          },
          services.clock(),
        )
        .catch(refusing('organization'))
      return reply.code(201).send(await organizationOf(id, personId, services))
    },
  )

  app.get(
    `${base}/organizations`,
    { schema: { response: { 200: listOf(organizationSchema) } } },
    async (request) => {
      const { id: personId } = await scope.account(request)
      const found = await organizations.ofPerson(personId)
      const data = found.map(({ id, name, status, role: ownRole, memberId, joinedAtMs }) =>
        organizationRecord(
          { id, displayName: name, status, createdAtMs: joinedAtMs },
          { role: ownRole, memberId },
        ),
      )
      return { object: 'list' as const, data, has_more: false, next_cursor: null }
    },
  )

  registerJoining(app, base, scope, services)
}

/** Shows what an invitation is for, and accepts it. */
const registerJoining: ScopedRoutes<TokenScope> = (app, base, scope, services) => {
  const { organizations } = services
  app.post(
    `${base}/organization-invitations/preview`,
    { schema: { body: codeBody, response: { 200: previewSchema } } },
    async (request) => {
      const hash = hashLinkCode(request.body.code)
      const found = await organizations.previewInvitation(hash, services.clock())
      if (found === undefined) throw noSuchInvitation()
      if (typeof found === 'string') throw invitationOver(found)
      return {
        object: 'organization_invitation_preview' as const,
        organization_name: found.organizationName,
        role: found.role,
        is_for_address: found.isForAddress,
        expires_at: epochSeconds(found.expiresAtMs),
      }
    },
  )

  app.post(
    `${base}/organization-invitations/accept`,
    { schema: { body: codeBody, response: { 200: organizationSchema } } },
    async (request) => {
      const { id: personId } = await scope.account(request)
      const hash = hashLinkCode(request.body.code)
      const id = await organizations
        .acceptInvitation(hash, personId, services.clock())
        .catch(refusing('invitation'))
      return organizationOf(id, personId, services)
    },
  )
}

function noSuchInvitation(): Error {
  return invalidRequest('code', '`code`: invitation not found.')
}

async function organizationOf(id: string, personId: string, services: ManagementServices) {
  const account = await services.accounts.find(id)
  const member = await services.organizations.actingMember(id, personId)
  if (account === undefined) throw noSuchOrganization()
  return organizationRecord(account, member ?? null)
}

/** The current organization. */
export const registerOrganization: ScopedRoutes = (app, path, scope, services) => {
  const params = Type.Object(scope.params)
  app.get(path, { schema: { params, response: { 200: organizationSchema } } }, async (request) =>
    organizationRecord(await requireOrganization(request, scope), scope.changer(request)),
  )

  const closing = requestObject({
    confirm: Type.String({ maxLength: 320, description: 'The name of the organization.' }),
  })
  app.post(
    `${path}/close`,
    { schema: { params, body: closing, response: { 200: closedSchema } } },
    async (request) => {
      const account = await requireOrganization(request, scope)
      const expected = account.displayName ?? account.id
      if (request.body.confirm.trim() !== expected.trim())
        throw invalidRequest('confirm', `\`confirm\`: expected \`${expected}\`.`)
      return close(account, services)
    },
  )
}

/** Members may leave their organization. */
export const registerLeaving: ScopedRoutes<TokenScope> = (app, path, scope, services) => {
  const body = requestObject({
    keys: Type.Optional(
      Type.Enum([...keyFates], { description: 'What happens to your keys. Default `organization`.' }),
    ),
  })
  app.post(`${path}/leave`, { schema: { body, response: { 200: removedMemberSchema } } }, async (request) => {
    const { id: organizationId } = await requireOrganization(request, scope)
    const { memberId } = scope.changer(request)!
    const { keys = 'organization' } = request.body
    const removal = { organizationId, memberId, keysGo: keys, by: 'self' as const }
    const { member, keyCount } = await removeMember(removal, services)
    return { ...memberRecord(member, true), keys, key_count: keyCount }
  })
}

/** @throws {GatewayError} 404 if it is a person's account */
export async function requireOrganization(request: FastifyRequest, scope: AccountScope): Promise<Account> {
  const account = await scope.account(request)
  if (account.kind !== 'organization') throw noSuchOrganization()
  return account
}
