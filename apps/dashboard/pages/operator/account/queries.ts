import { queryOptions } from '@tanstack/react-query'
import { readQuery, type QueryOf } from '../../../api/read-query.ts'
import { customerPath, mostKeys } from '../../../api/customer-queries.ts'

type UsageQuery = QueryOf<'/api/v1/admin/accounts/{account_id}/usage'>
type RequestsQuery = QueryOf<'/api/v1/admin/accounts/{account_id}/usage/requests'>
type LedgerQuery = QueryOf<'/api/v1/admin/accounts/{account_id}/ledger'>
type TopupsQuery = QueryOf<'/api/v1/admin/accounts/{account_id}/topups'>
type DeliveriesQuery = QueryOf<'/api/v1/admin/accounts/{account_id}/deliveries'>

export const customerQuery = (accountId: string) =>
  readQuery(
    ['operator', 'account', accountId],
    '/api/v1/admin/accounts/{account_id}',
    customerPath(accountId),
  )

export const customerUsageQuery = (accountId: string, query: UsageQuery) =>
  readQuery(['operator', 'account usage', accountId, query], '/api/v1/admin/accounts/{account_id}/usage', {
    ...customerPath(accountId),
    query,
  })

export const spendByKeyQuery = (accountId: string, query: UsageQuery) =>
  readQuery(
    ['operator', 'spent by key', accountId, query],
    '/api/v1/admin/accounts/{account_id}/usage/breakdown',
    { ...customerPath(accountId), query: { ...query, by: ['key'], limit: mostKeys } },
  )

export const customerRequestsQuery = (accountId: string, query: RequestsQuery) =>
  readQuery(
    ['operator', 'requests', accountId, query],
    '/api/v1/admin/accounts/{account_id}/usage/requests',
    { ...customerPath(accountId), query },
  )

export const customerLedgerQuery = (accountId: string, query: LedgerQuery) =>
  readQuery(['operator', 'ledger', accountId, query], '/api/v1/admin/accounts/{account_id}/ledger', {
    ...customerPath(accountId),
    query,
  })

export const customerTopupsQuery = (accountId: string, query: TopupsQuery) =>
  readQuery(['operator', 'topups', accountId, query], '/api/v1/admin/accounts/{account_id}/topups', {
    ...customerPath(accountId),
    query,
  })

const latestEvents = 8

export const customerEventsQuery = (accountId: string) =>
  readQuery(['operator', 'events', accountId], '/api/v1/admin/accounts/{account_id}/events', {
    ...customerPath(accountId),
    query: { limit: latestEvents },
  })

export const customerDeliveriesQuery = (accountId: string, query: DeliveriesQuery) =>
  readQuery(['operator', 'deliveries', accountId, query], '/api/v1/admin/accounts/{account_id}/deliveries', {
    ...customerPath(accountId),
    query,
  })

export const customerTargetsQuery = (accountId: string) =>
  readQuery(
    ['operator', 'targets', accountId],
    '/api/v1/admin/accounts/{account_id}/event-targets',
    customerPath(accountId),
  )

/** A request of any account. */
export const anyRequestQuery = (requestId: string) =>
  queryOptions({
    ...readQuery(['operator', 'request', requestId], '/api/v1/admin/usage/requests/{request_id}', {
      path: { request_id: requestId },
    }),
    // A recorded request does not change.
    staleTime: Infinity,
  })
