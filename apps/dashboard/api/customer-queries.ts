import { queryOptions } from '@tanstack/react-query'
import type { Budget } from './budget-queries.ts'
import { api, bodyOf, type Schemas } from './client.ts'
import type { paths } from '@turnpike/api'
import { allOf } from './team-queries.ts'

/** Another account, as an operator sees it. */
export type Customer = Pick<Schemas['Account'], 'id' | 'kind'>

type KeyPage =
  paths['/api/v1/admin/accounts/{account_id}/keys']['get']['responses'][200]['content']['application/json']

const keysAtOnce = 200
/** An account may have any number of keys; so many are shown and named. */
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

/** Those who were removed included. */
export const customerMembersQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['operator', 'members', accountId],
    queryFn: ({ signal }) =>
      allOf<Schemas['Member']>((query) =>
        bodyOf(
          api.GET('/api/v1/admin/accounts/{account_id}/organization/members', {
            params: { ...customerPath(accountId), query },
            signal,
          }),
        ),
      ),
  })

/** Those that were archived included. */
export const customerProjectsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['operator', 'projects', accountId],
    queryFn: ({ signal }) =>
      allOf<Schemas['Project']>((query) =>
        bodyOf(
          api.GET('/api/v1/admin/accounts/{account_id}/projects', {
            params: { ...customerPath(accountId), query },
            signal,
          }),
        ),
      ),
  })

export const customerBudgetsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['operator', 'budgets', accountId],
    queryFn: ({ signal }) =>
      allOf<Budget>((query) =>
        bodyOf(
          api.GET('/api/v1/admin/accounts/{account_id}/budgets', {
            params: { ...customerPath(accountId), query },
            signal,
          }),
        ),
      ),
  })
