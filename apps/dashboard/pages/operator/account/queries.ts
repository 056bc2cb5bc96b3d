import { queryOptions } from '@tanstack/react-query'
import type { paths } from '@turnpike/api'
import { api, bodyOf } from '../../../api/client.ts'
import { customerPath, mostKeys } from '../../../api/customer-queries.ts'

type UsageQuery = NonNullable<
  paths['/api/v1/admin/accounts/{account_id}/usage']['get']['parameters']['query']
>
type RequestsQuery = NonNullable<
  paths['/api/v1/admin/accounts/{account_id}/usage/requests']['get']['parameters']['query']
>
type LedgerQuery = NonNullable<
  paths['/api/v1/admin/accounts/{account_id}/ledger']['get']['parameters']['query']
>
type TopupsQuery = NonNullable<
  paths['/api/v1/admin/accounts/{account_id}/topups']['get']['parameters']['query']
>
type DeliveriesQuery = NonNullable<
  paths['/api/v1/admin/accounts/{account_id}/deliveries']['get']['parameters']['query']
>

export const customerQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['operator', 'account', accountId],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/admin/accounts/{account_id}', { params: customerPath(accountId), signal })),
  })

export const customerUsageQuery = (accountId: string, query: UsageQuery) =>
  queryOptions({
    queryKey: ['operator', 'account usage', accountId, query],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/admin/accounts/{account_id}/usage', {
          params: { ...customerPath(accountId), query },
          signal,
        }),
      ),
  })

export const spendByKeyQuery = (accountId: string, query: UsageQuery) =>
  queryOptions({
    queryKey: ['operator', 'spent by key', accountId, query],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/admin/accounts/{account_id}/usage/breakdown', {
          params: { ...customerPath(accountId), query: { ...query, by: ['key'], limit: mostKeys } },
          signal,
        }),
      ),
  })

export const customerRequestsQuery = (accountId: string, query: RequestsQuery) =>
  queryOptions({
    queryKey: ['operator', 'requests', accountId, query],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/admin/accounts/{account_id}/usage/requests', {
          params: { ...customerPath(accountId), query },
          signal,
        }),
      ),
  })

export const customerLedgerQuery = (accountId: string, query: LedgerQuery) =>
  queryOptions({
    queryKey: ['operator', 'ledger', accountId, query],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/admin/accounts/{account_id}/ledger', {
          params: { ...customerPath(accountId), query },
          signal,
        }),
      ),
  })

export const customerTopupsQuery = (accountId: string, query: TopupsQuery) =>
  queryOptions({
    queryKey: ['operator', 'topups', accountId, query],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/admin/accounts/{account_id}/topups', {
          params: { ...customerPath(accountId), query },
          signal,
        }),
      ),
  })

const latestEvents = 8

export const customerEventsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['operator', 'events', accountId],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/admin/accounts/{account_id}/events', {
          params: { ...customerPath(accountId), query: { limit: latestEvents } },
          signal,
        }),
      ),
  })

export const customerDeliveriesQuery = (accountId: string, query: DeliveriesQuery) =>
  queryOptions({
    queryKey: ['operator', 'deliveries', accountId, query],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/admin/accounts/{account_id}/deliveries', {
          params: { ...customerPath(accountId), query },
          signal,
        }),
      ),
  })

export const customerTargetsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['operator', 'targets', accountId],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/admin/accounts/{account_id}/event-targets', {
          params: customerPath(accountId),
          signal,
        }),
      ),
  })

/** Of whichever account. */
export const anyRequestQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['operator', 'request', requestId],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/admin/usage/requests/{request_id}', {
          params: { path: { request_id: requestId } },
          signal,
        }),
      ),
    // What is recorded does not change.
    staleTime: Infinity,
  })
