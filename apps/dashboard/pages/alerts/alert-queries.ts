import { queryOptions } from '@tanstack/react-query'
import { api, type Asked, type Schemas } from '../../api/client.ts'
import { readQuery } from '../../api/read-query.ts'

export type AlertRule = Schemas['AlertRule']
export type EventTarget = Schemas['EventTarget']
export type Delivery = Schemas['Delivery']

/** Short, so that a pending delivery is seen to arrive. */
const refetchMs = 5_000

export const rulesQuery = readQuery(['alerts', 'rules'], '/api/v1/alerts')

export const targetsQuery = readQuery(['alerts', 'targets'], '/api/v1/event-targets')

interface DeliveryFilter {
  target_id?: string
  status?: Delivery['status']
  cursor?: string
}

export const deliveriesQuery = (query: DeliveryFilter) =>
  queryOptions({
    ...readQuery(['alerts', 'deliveries', query], '/api/v1/deliveries', { query }),
    refetchInterval: refetchMs,
  })

/** @param customerId the account, if an operator looks at it */
export const deliveryQuery = (deliveryId: string, customerId?: string) =>
  queryOptions({
    ...(customerId === undefined
      ? readQuery(['alerts', 'delivery', deliveryId], '/api/v1/deliveries/{delivery_id}', {
          path: { delivery_id: deliveryId },
        })
      : readQuery(
          ['operator', 'delivery', deliveryId],
          '/api/v1/admin/accounts/{account_id}/deliveries/{delivery_id}',
          { path: { delivery_id: deliveryId, account_id: customerId } },
        )),
    refetchInterval: refetchMs,
  })

export function redeliver(deliveryId: string, customerId: string | undefined): Asked<Delivery> {
  const path = { delivery_id: deliveryId }
  return customerId === undefined
    ? api.POST('/api/v1/deliveries/{delivery_id}/redeliver', { params: { path } })
    : api.POST('/api/v1/admin/accounts/{account_id}/deliveries/{delivery_id}/redeliver', {
        params: { path: { ...path, account_id: customerId } },
      })
}

/** @param customerId the account, if an operator looks at it */
export const eventQuery = (eventId: string, customerId?: string) =>
  queryOptions({
    ...(customerId === undefined
      ? readQuery(['alerts', 'event', eventId], '/api/v1/events/{event_id}', { path: { event_id: eventId } })
      : readQuery(['operator', 'event', eventId], '/api/v1/admin/accounts/{account_id}/events/{event_id}', {
          path: { event_id: eventId, account_id: customerId },
        })),
    // An event does not change.
    staleTime: Infinity,
  })
