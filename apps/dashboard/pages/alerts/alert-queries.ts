import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../../api/client.ts'

export type AlertRule = Schemas['AlertRule']
export type EventTarget = Schemas['EventTarget']
export type Delivery = Schemas['Delivery']

/** What is under way is seen to arrive. */
const refetchMs = 5_000

export const rulesQuery = queryOptions({
  queryKey: ['alerts', 'rules'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/alerts', { signal })),
})

export const targetsQuery = queryOptions({
  queryKey: ['alerts', 'targets'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/event-targets', { signal })),
})

interface DeliveryFilter {
  target_id?: string
  status?: Delivery['status']
  cursor?: string
}

export const deliveriesQuery = (query: DeliveryFilter) =>
  queryOptions({
    queryKey: ['alerts', 'deliveries', query],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/deliveries', { params: { query }, signal })),
    refetchInterval: refetchMs,
  })

/** @param customerId of whom, where an operator looks */
export const deliveryQuery = (deliveryId: string, customerId?: string) =>
  queryOptions({
    queryKey:
      customerId === undefined ? ['alerts', 'delivery', deliveryId] : ['operator', 'delivery', deliveryId],
    queryFn: ({ signal }) => {
      const path = { delivery_id: deliveryId }
      return bodyOf(
        customerId === undefined
          ? api.GET('/api/v1/deliveries/{delivery_id}', { params: { path }, signal })
          : api.GET('/api/v1/admin/accounts/{account_id}/deliveries/{delivery_id}', {
              params: { path: { ...path, account_id: customerId } },
              signal,
            }),
      )
    },
    refetchInterval: refetchMs,
  })

export function redeliver(deliveryId: string, customerId: string | undefined): Promise<Delivery> {
  const path = { delivery_id: deliveryId }
  return bodyOf(
    customerId === undefined
      ? api.POST('/api/v1/deliveries/{delivery_id}/redeliver', { params: { path } })
      : api.POST('/api/v1/admin/accounts/{account_id}/deliveries/{delivery_id}/redeliver', {
          params: { path: { ...path, account_id: customerId } },
        }),
  )
}

/** @param customerId of whom, where an operator looks */
export const eventQuery = (eventId: string, customerId?: string) =>
  queryOptions({
    queryKey: customerId === undefined ? ['alerts', 'event', eventId] : ['operator', 'event', eventId],
    queryFn: ({ signal }) => {
      const path = { event_id: eventId }
      return bodyOf(
        customerId === undefined
          ? api.GET('/api/v1/events/{event_id}', { params: { path }, signal })
          : api.GET('/api/v1/admin/accounts/{account_id}/events/{event_id}', {
              params: { path: { ...path, account_id: customerId } },
              signal,
            }),
      )
    },
    // What happened does not change.
    staleTime: Infinity,
  })
