import { deliveryStates, eventTypes } from '@turnpike/notify'
import { Type } from 'typebox'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import type { ManagementServices } from '../services.ts'
import { identifierOf, requestObject } from '../validation/fields.ts'
import {
  attemptRecord,
  deliveryRecord,
  deliverySchema,
  deliveryWithAttemptsSchema,
  eventRecord,
  eventSchema,
} from './delivery-record.ts'
import type { EventScope } from './scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import { registerEventTargets, takesNothing, targetName } from './target-routes.ts'
import { notFound, requireFound } from '../not-found.ts'

type Services = Parameters<typeof registerEventTargets>[3]

/** Events, targets and deliveries. @param path where `/events`, `/event-targets` and `/deliveries` are */
export const registerEvents: ScopedRoutes<EventScope, Services> = (app, path, scope, services) => {
  if (services.notifications === undefined) return
  registerEventTargets(app, `${path}/event-targets`, scope, services)
  registerEventList(app, `${path}/events`, scope, services)
  registerDeliveries(app, `${path}/deliveries`, scope, services)
}

const registerEventList: ScopedRoutes<EventScope, Pick<ManagementServices, 'events'>> = (
  app,
  path,
  scope,
  { events },
) => {
  const params = Type.Object(scope.params)
  const querystring = requestObject({ type: Type.Optional(Type.Enum([...eventTypes])), ...pageQuery })
  app.get(
    path,
    { schema: { params, querystring, response: { 200: listOf(eventSchema) } } },
    async (request) => {
      const { accountId } = await scope.owner(request)
      return listAnswer(await events.list(accountId, pageOf(request.query), request.query.type), eventRecord)
    },
  )

  const ofEvent = Type.Object({ ...scope.params, event_id: identifierOf('evt') })
  app.get(
    `${path}/:event_id`,
    { schema: { params: ofEvent, response: { 200: eventSchema } } },
    async (request) => {
      const { accountId } = await scope.owner(request)
      const event = await events.find(accountId, request.params.event_id)
      return eventRecord(requireFound(event, 'Event'))
    },
  )
}

const registerDeliveries: ScopedRoutes<EventScope, Services> = (
  app,
  path,
  scope,
  { deliveries, events, eventTargets, clock },
) => {
  const params = Type.Object(scope.params)
  const ofDelivery = Type.Object({ ...scope.params, delivery_id: identifierOf('dlv') })
  const querystring = requestObject({
    target_id: Type.Optional(identifierOf('tgt')),
    event_id: Type.Optional(identifierOf('evt')),
    status: Type.Optional(Type.Enum([...deliveryStates])),
    ...pageQuery,
  })

  app.get(
    path,
    { schema: { params, querystring, response: { 200: listOf(deliverySchema) } } },
    async (request) => {
      const { accountId } = await scope.owner(request)
      const { target_id: targetId, event_id: eventId, status: state } = request.query
      if (targetId !== undefined && (await eventTargets.find(accountId, targetId)) === undefined)
        throw notFound(targetName, 'target_id')
      if (eventId !== undefined && (await events.find(accountId, eventId)) === undefined)
        throw notFound('Event', 'event_id')
      const filter = {
        ...(targetId !== undefined && { targetId }),
        ...(eventId !== undefined && { eventId }),
        ...(state !== undefined && { state }),
      }
      return listAnswer(await deliveries.list(accountId, filter, pageOf(request.query)), deliveryRecord)
    },
  )

  app.get(
    `${path}/:delivery_id`,
    { schema: { params: ofDelivery, response: { 200: deliveryWithAttemptsSchema } } },
    async (request) => {
      const { accountId } = await scope.owner(request)
      const delivery = await deliveries.find(accountId, request.params.delivery_id)
      if (delivery === undefined) throw notFound('Delivery')
      const attempts = await deliveries.attempts(delivery.id)
      return { ...deliveryRecord(delivery), log: attempts.map(attemptRecord) }
    },
  )

  app.post(
    `${path}/:delivery_id/redeliver`,
    { schema: { params: ofDelivery, response: { 200: deliverySchema } } },
    async (request) => {
      const { accountId } = await scope.owner(request)
      const delivery = await deliveries.redeliver(accountId, request.params.delivery_id, clock())
      if (delivery === undefined) throw notFound('Delivery')
      if (delivery === 'inactive') throw takesNothing('not active')
      return deliveryRecord(delivery)
    },
  )
}
