import {
  canonicalEmail,
  hashInviteCode,
  inviteStates,
  newInviteCode,
  type Invite,
  type InviteStore,
} from '@turnpike/identity'
import { GatewayError, newIdentifier } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { email } from '../accounts/record.ts'
import type { ManagementApp } from '../management-app.ts'
import { isOperatorsAddress, type OperatorKnowledge } from '../access/operators-address.ts'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import { timeQuery, timeRange } from '../time-range.ts'
import {
  deletedSchema,
  epochSeconds,
  epochSecondsOrNull,
  identifierOf,
  nullable,
  timestamp,
  requestObject,
} from '../validation/fields.ts'

/** What an operator may do at the embedded identity provider. */
export interface IdentityAdministration {
  invites: InviteStore
  /** Makes a new signing key for tokens; tokens signed by the previous one stay valid until they expire. */
  rotateKeys: () => Promise<{ keyId: string; createdAtMs: number }>
}

const dayMs = 24 * 60 * 60 * 1000
const defaultDays = 7

const inviteFields = {
  id: Type.String(),
  object: Type.Literal('invite'),
  email: nullable(Type.String()),
  created_at: timestamp,
  expires_at: timestamp,
  used_at: nullable(timestamp),
}
const inviteSchema = Type.Object(inviteFields, { title: 'Invite' })
/** The response to a creation: the only one that contains the code. */
const createdInviteSchema = Type.Object({ ...inviteFields, code: Type.String() })

const invitationSchema = requestObject({
  email: Type.Optional(email),
  expires_in_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 365, description: `Default ${defaultDays}.` }),
  ),
})

const inviteFilter = {
  state: Type.Optional(
    Type.Enum([...inviteStates], { description: '`open`: it can be used. `expired`: it was never used.' }),
  ),
  ...timeQuery,
}

/** Invitations to register, and the keys that sign tokens. */
export function registerIdentityAdministration(
  app: ManagementApp,
  path: string,
  { invites, rotateKeys }: IdentityAdministration,
  services: OperatorKnowledge & { clock: () => number },
  hasSecret: (request: FastifyRequest) => boolean,
): void {
  app.post(
    `${path}/invites`,
    { schema: { body: invitationSchema, response: { 201: createdInviteSchema } } },
    async (request, reply) => {
      const { email: address, expires_in_days: days = defaultDays } = request.body
      const bySecret = hasSecret(request)
      if (address !== undefined && !bySecret) await refuseOperators(address, services)
      const createdAtMs = services.clock()
      const invite = {
        id: newIdentifier('inv', createdAtMs),
        bySecret,
        email: address === undefined ? null : canonicalEmail(address),
        createdAtMs,
        expiresAtMs: createdAtMs + days * dayMs,
      }
      const code = newInviteCode()
      await invites.create(invite, hashInviteCode(code))
      return reply.code(201).send({ ...inviteRecord({ ...invite, usedAtMs: null }), code })
    },
  )

  app.get(
    `${path}/invites`,
    {
      schema: {
        querystring: requestObject({ ...inviteFilter, ...pageQuery }),
        response: { 200: listOf(inviteSchema) },
      },
    },
    async (request) => {
      const { state } = request.query
      const filter = { ...(state && { state }), ...timeRange(request.query), nowMs: services.clock() }
      return listAnswer(await invites.list(pageOf(request.query), filter), inviteRecord)
    },
  )

  const params = Type.Object({ invite_id: identifierOf('inv') })
  app.delete(
    `${path}/invites/:invite_id`,
    { schema: { params, response: { 200: deletedSchema } } },
    async (request) => {
      const { invite_id: id } = request.params
      if (await invites.remove(id)) return { id, deleted: true as const }
      throw new GatewayError('not_found_error', 'Invitation not found, or already used.')
    },
  )

  app.post(
    `${path}/keys/rotate`,
    { schema: { response: { 201: Type.Object({ key_id: Type.String(), created_at: timestamp }) } } },
    async (_request, reply) => {
      const { keyId, createdAtMs } = await rotateKeys()
      return reply.code(201).send({ key_id: keyId, created_at: epochSeconds(createdAtMs) })
    },
  )
}

/** The person who redeems the invitation keeps the address, long after a stolen token has expired. */
async function refuseOperators(address: string, services: OperatorKnowledge): Promise<void> {
  if (!(await isOperatorsAddress(address, services))) return
  throw new GatewayError(
    'permission_error',
    "`email`: the internal secret is required to invite an operator's address.",
    { param: 'email' },
  )
}

function inviteRecord(invite: Invite): Static<typeof inviteSchema> {
  return {
    id: invite.id,
    object: 'invite',
    email: invite.email,
    created_at: epochSeconds(invite.createdAtMs),
    expires_at: epochSeconds(invite.expiresAtMs),
    used_at: epochSecondsOrNull(invite.usedAtMs),
  }
}
