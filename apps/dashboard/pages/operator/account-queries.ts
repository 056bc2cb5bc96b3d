import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import type { paths } from '../../api/schema.ts'

type KeyPage =
  paths['/api/v1/admin/accounts/{account_id}/keys']['get']['responses'][200]['content']['application/json']
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

const keysAtOnce = 200
/** An account may have any number of keys; so many are shown and named. */
const mostKeys = 1_000

const pathOf = (accountId: string) => ({ path: { account_id: accountId } })

export const customerQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['operator', 'account', accountId],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/admin/accounts/{account_id}', { params: pathOf(accountId), signal })),
  })

export const customerKeysQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['operator', 'keys', accountId],
    queryFn: async ({ signal }) => {
      const data: Schemas['Key'][] = []
      let cursor: string | null = null
      do {
        const query = { limit: keysAtOnce, ...(cursor !== null && { cursor }) }
        const page: KeyPage = await bodyOf(
          api.GET('/api/v1/admin/accounts/{account_id}/keys', {
            params: { ...pathOf(accountId), query },
            signal,
          }),
        )
        data.push(...page.data)
        cursor = page.next_cursor
      } while (cursor !== null && data.length < mostKeys)
      return { data, hasMore: cursor !== null }
    },
  })

export const customerUsageQuery = (accountId: string, query: UsageQuery) =>
  queryOptions({
    queryKey: ['operator', 'account usage', accountId, query],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/admin/accounts/{account_id}/usage', {
          params: { ...pathOf(accountId), query },
          signal,
        }),
      ),
  })

export const spentByKeyQuery = (accountId: string, query: UsageQuery) =>
  queryOptions({
    queryKey: ['operator', 'spent by key', accountId, query],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/admin/accounts/{account_id}/usage/breakdown', {
          params: { ...pathOf(accountId), query: { ...query, by: ['key'], limit: mostKeys } },
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
          params: { ...pathOf(accountId), query },
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
          params: { ...pathOf(accountId), query },
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
          params: { ...pathOf(accountId), query },
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
