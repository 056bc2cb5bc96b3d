import { keyFates } from '@turnpike/identity'
import { invalidRequest } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { displayName } from '../accounts/record.ts'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import type { AccountScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import { identifierOf, requestObject } from '../validation/fields.ts'
import { memberRecord, memberSchema, removedMemberSchema, role } from './record.ts'
import { refusing } from './refusal.ts'
import { removeMember } from './remove-member.ts'
import { requireOrganization } from './routes.ts'
import { notFound } from '../not-found.ts'

/** The members of the current organization. */
export const registerMembers: ScopedRoutes = (app, path, scope, services) => {
  const { organizations } = services
  const params = Type.Object(scope.params)
  const querystring = requestObject(pageQuery)
  app.get(
    path,
    { schema: { params, querystring, response: { 200: listOf(memberSchema) } } },
    async (request) => {
      const { id } = await requireOrganization(request, scope)
      const page = await organizations.members(id, pageOf(request.query))
      return listAnswer(page, (member) => memberRecord(member, seesAddresses(request, scope)))
    },
  )

  const service = requestObject({ name: displayName })
  app.post(
    path,
    { schema: { params, body: service, response: { 201: memberSchema } } },
    async (request, reply) => {
      const { id } = await requireOrganization(request, scope)
      const member = await organizations
        .addService(id, { name: request.body.name, by: scope.changer(request) }, services.clock())
        .catch(refusing('organization'))
      return reply.code(201).send(memberRecord(member, true))
    },
  )
  registerMember(app, `${path}/:member_id`, scope, services)
}

const registerMember: ScopedRoutes = (app, path, scope, services) => {
  const { organizations } = services
  const params = Type.Object({ ...scope.params, member_id: identifierOf('mem') })
  app.get(path, { schema: { params, response: { 200: memberSchema } } }, async (request) => {
    const member = await organizations.member(await organizationId(request, scope), request.params.member_id)
    if (member === undefined) throw notFound('Member')
    return memberRecord(member, seesAddresses(request, scope))
  })

  const changes = requestObject({ role: Type.Optional(role), name: Type.Optional(displayName) })
  app.patch(path, { schema: { params, body: changes, response: { 200: memberSchema } } }, async (request) => {
    const id = await organizationId(request, scope)
    const { role: newRole, name } = request.body
    if (newRole === undefined && name === undefined)
      throw invalidRequest('role', '`role`: expected a role, or for a service account its `name`.')
    const member = await organizations
      .changeMember(
        id,
        request.params.member_id,
        {
          ...(newRole !== undefined && { role: newRole }),
          ...(name !== undefined && { name }),
          by: scope.changer(request),
        },
        services.clock(),
      )
      .catch(refusing('member'))
    return memberRecord(member, true)
  })

  const querystring = requestObject({
    keys: Type.Enum([...keyFates], { description: 'What happens to their keys.' }),
  })
  app.delete(
    path,
    { schema: { params, querystring, response: { 200: removedMemberSchema } } },
    async (request) => {
      const { keys } = request.query
      const { member, keyCount } = await removeMember(
        {
          organizationId: await organizationId(request, scope),
          memberId: request.params.member_id,
          keysGo: keys,
          by: scope.changer(request),
        },
        services,
      )
      return { ...memberRecord(member, true), keys, key_count: keyCount }
    },
  )
}

/** A person's account behaves as if it had no members. */
async function organizationId(request: FastifyRequest, scope: AccountScope): Promise<string> {
  const account = await scope.account(request)
  if (account.kind !== 'organization') throw notFound('Member')
  return account.id
}

/** Only roles that manage members see addresses. */
function seesAddresses(request: FastifyRequest, scope: AccountScope): boolean {
  const changer = scope.changer(request)
  return changer === null || changer.role === 'owner' || changer.role === 'admin'
}
