import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from './client.ts'
import { readAllQuery, type BodyOf } from './read-query.ts'

/** Another account, as an operator sees it. */
export type Customer = Pick<Schemas['Account'], 'id' | 'kind'>

type KeyPage = BodyOf<'/api/v1/admin/accounts/{account_id}/keys'>

const keysAtOnce = 200
/** An account may have any number of keys; at most this many are shown and named. */
export const mostKeys = 1_000

export const customerPath = (accountId: string) => ({ path: { account_id: accountId } })

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
            params: { ...customerPath(accountId), query },
            signal,
          }),
        )
        data.push(...page.data)
        cursor = page.next_cursor
      } while (cursor !== null && data.length < mostKeys)
      return { data, hasMore: cursor !== null }
    },
  })

/** Includes removed members. */
export const customerMembersQuery = (accountId: string) =>
  readAllQuery(
    ['operator', 'members', accountId],
    '/api/v1/admin/accounts/{account_id}/organization/members',
    customerPath(accountId),
  )

/** Includes archived projects. */
export const customerProjectsQuery = (accountId: string) =>
  readAllQuery(
    ['operator', 'projects', accountId],
    '/api/v1/admin/accounts/{account_id}/projects',
    customerPath(accountId),
  )

export const customerBudgetsQuery = (accountId: string) =>
  readAllQuery(
    ['operator', 'budgets', accountId],
    '/api/v1/admin/accounts/{account_id}/budgets',
    customerPath(accountId),
  )
