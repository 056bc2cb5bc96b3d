import { newSecret, type EventTarget } from '@turnpike/notify'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { Type } from 'typebox'
import { email } from '../accounts/record.ts'
import { requireFound, notFound } from '../not-found.ts'
import { listAnswer, listOf } from '../page.ts'
import type { ManagementServices } from '../services.ts'
import { deletedSchema, identifierOf, requestObject } from '../validation/fields.ts'
import { deliveryRecord, deliverySchema } from './delivery-record.ts'
import { askAgain, checkUrl, createTarget, type TargetServices } from './new-target.ts'
import type { EventScope } from './scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import { recordOf, targetSchema, targetWithSecretSchema, wantedRoles, wantedTypes } from './target-record.ts'

export const targetName = 'Event target'
/** No test is sent to a target with this many pending deliveries, so that nobody can flood it through us. */
const mostWaiting = 20
const retryAfterSeconds = 60
/** How long the previous secret still signs after a rotation. */
const graceMs = 24 * 60 * 60 * 1000

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\p{Cc}]*\\S[^\\p{Cc}]*$',
  'x-expected': 'one line of 1 to 100 characters',
})
const url = Type.String({ minLength: 1, maxLength: 2_000, 'x-expected': 'the URL of a webhook' })

const newTarget = requestObject({
  kind: Type.Enum(['webhook', 'mail']),
  name: Type.Optional(name),
  url: Type.Optional(url),
  email: Type.Optional(email),
  roles: Type.Optional(wantedRoles),
  types: Type.Optional(wantedTypes),
})

const changes = requestObject({
  name: Type.Optional(name),
  url: Type.Optional(url),
  roles: Type.Optional(wantedRoles),
  types: Type.Optional(wantedTypes),
  status: Type.Optional(Type.Enum(['active', 'disabled'])),
})

type Services = Pick<ManagementServices, 'eventTargets' | 'events' | 'deliveries' | 'clock' | 'notifications'>

/** The targets that events are sent to. */
export const registerEventTargets: ScopedRoutes<EventScope, Services> = (app, path, scope, services) => {
  const { eventTargets: targets, notifications, clock } = services
  if (notifications === undefined) return
  const parts = { eventTargets: targets, clock, notifications }
  const params = Type.Object(scope.params)
  const ofTarget = Type.Object({ ...scope.params, target_id: identifierOf('tgt') })

  app.post(
    path,
    { schema: { params, body: newTarget, response: { 201: targetWithSecretSchema } } },
    async (request, reply) => {
      const { target, secret } = await createTarget(parts, await scope.owner(request), request.body)
      return reply.code(201).send({ ...(await recordOf(target, parts)), secret })
    },
  )

  app.get(path, { schema: { params, response: { 200: listOf(targetSchema) } } }, async (request) => {
    const { accountId } = await scope.owner(request)
    const rows = await targets.list(accountId)
    const records = await Promise.all(rows.map((target) => recordOf(target, parts)))
    return listAnswer({ rows: records, nextCursor: null }, (record) => record)
  })

  app.get(
    `${path}/:target_id`,
    { schema: { params: ofTarget, response: { 200: targetSchema } } },
    async (request) => {
      const { accountId } = await scope.owner(request)
      return recordOf(
        requireFound(await targets.find(accountId, request.params.target_id), targetName),
        parts,
      )
    },
  )

  registerChanges(app, path, scope, parts)
  registerSecrets(app, path, scope, parts)
  registerTest(app, path, scope, services)
}

/** Changes to a target, and its deletion. */
const registerChanges: ScopedRoutes<EventScope, TargetServices> = (app, path, scope, parts) => {
  const { eventTargets: targets, notifications, clock } = parts
  const ofTarget = Type.Object({ ...scope.params, target_id: identifierOf('tgt') })

  app.patch(
    `${path}/:target_id`,
    { schema: { params: ofTarget, body: changes, response: { 200: targetSchema } } },
    async (request) => {
      const { accountId } = await scope.owner(request)
      const { target_id: id } = request.params
      const { url: newUrl, ...rest } = request.body
      const found = requireFound(await targets.find(accountId, id), targetName)
      if (newUrl !== undefined && found.kind === 'mail')
        throw invalidRequest('url', '`url`: not available for mail.')
      if (rest.roles !== undefined && found.roles === null)
        throw invalidRequest(
          'roles',
          '\\`roles\\`: this target is not for roles. Create another target for them.',
        )
      if (rest.status !== undefined && found.status === 'unconfirmed')
        throw new GatewayError('conflict_error', 'This address has not been confirmed yet.', {
          param: 'status',
        })
      const checked = newUrl === undefined ? {} : { url: await checkUrl(notifications, newUrl) }
      const changed = await targets.update(accountId, id, { ...rest, ...checked }, clock())
      return recordOf(requireFound(changed, targetName), parts)
    },
  )

  app.delete(
    `${path}/:target_id`,
    { schema: { params: ofTarget, response: { 200: deletedSchema } } },
    async (request) => {
      const { accountId } = await scope.owner(request)
      const { target_id: id } = request.params
      if (!(await targets.remove(accountId, id))) throw notFound(targetName)
      return { id, deleted: true as const }
    },
  )
}

/** The secret that signs a webhook's deliveries, and the code that confirms an address. */
const registerSecrets: ScopedRoutes<EventScope, TargetServices> = (app, path, scope, parts) => {
  const { eventTargets: targets } = parts
  const ofTarget = Type.Object({ ...scope.params, target_id: identifierOf('tgt') })

  app.post(
    `${path}/:target_id/rotate-secret`,
    { schema: { params: ofTarget, response: { 200: targetWithSecretSchema } } },
    async (request) => {
      const { accountId } = await scope.owner(request)
      const target = requireFound(await targets.find(accountId, request.params.target_id), targetName)
      const { target: rotated, secret } = await rotate(parts, target)
      return { ...(await recordOf(rotated, parts)), secret }
    },
  )

  app.post(
    `${path}/:target_id/confirmation`,
    { schema: { params: ofTarget, response: { 200: targetSchema } } },
    async (request) => {
      const owner = await scope.owner(request)
      const target = requireFound(await targets.find(owner.accountId, request.params.target_id), targetName)
      await askAgain(parts, owner, target)
      return recordOf(target, parts)
    },
  )
}

/** Sends a test event at once. */
const registerTest: ScopedRoutes<EventScope, Services> = (app, path, scope, services) => {
  const { eventTargets: targets, events, deliveries, clock } = services
  const params = Type.Object({ ...scope.params, target_id: identifierOf('tgt') })
  const schema = { params, response: { 201: deliverySchema } }
  app.post(`${path}/:target_id/test`, { schema }, async (request, reply) => {
    const { accountId } = await scope.owner(request)
    const target = requireFound(await targets.find(accountId, request.params.target_id), targetName)
    if (target.status !== 'active') throw takesNothing(target.status)
    const test = {
      type: 'webhook.test' as const,
      accountId,
      dedupeKey: null,
      occurredAtMs: clock(),
      data: { object: 'event_target', target_id: target.id, name: target.name },
    }
    const sent = await events.raiseFor(target.id, test, mostWaiting)
    if (sent === 'busy') throw tooManyWaiting()
    if (sent === 'nobody')
      throw new GatewayError('conflict_error', 'Nobody with these roles has a verified address.')
    const delivery = sent && (await deliveries.find(accountId, sent.deliveryId))
    if (delivery === undefined) throw notFound(targetName)
    return reply.code(201).send(deliveryRecord(delivery))
  })
}

/** @throws {GatewayError} 409 if the target has no secret */
async function rotate(
  { eventTargets, clock, notifications }: TargetServices,
  { id, accountId, kind }: EventTarget,
) {
  if (kind === 'mail')
    throw new GatewayError('conflict_error', 'Mail targets have no secret, since mail is not signed.')
  const secret = newSecret()
  const sealed = notifications.sealSecret(secret, { id, accountId })
  const nowMs = clock()
  const target = await eventTargets.replaceSecret(accountId, id, sealed, nowMs + graceMs, nowMs)
  return { target: requireFound(target, targetName), secret }
}

function tooManyWaiting(): GatewayError {
  const message = `${mostWaiting} events are already waiting for this target. Try again later.`
  return new GatewayError('rate_limit_error', message, { retryAfterSeconds })
}

export function takesNothing(status: string): GatewayError {
  return new GatewayError('conflict_error', `The target is ${status}, so nothing is sent to it.`)
}
