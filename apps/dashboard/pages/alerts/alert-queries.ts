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

export const deliveryQuery = (deliveryId: string) =>
  queryOptions({
    queryKey: ['alerts', 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/deliveries/{delivery_id}', {
          params: { path: { delivery_id: deliveryId } },
          signal,
        }),
      ),
    refetchInterval: refetchMs,
  })

export const eventQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['alerts', 'event', eventId],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/events/{event_id}', { params: { path: { event_id: eventId } }, signal })),
    // What happened does not change.
    staleTime: Infinity,
  })
