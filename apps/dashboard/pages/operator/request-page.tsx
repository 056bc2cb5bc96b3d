import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { accountQuery } from '../../api/queries.ts'
import { BackLink } from '../../components/back-link.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { parseSearch } from '../../search.ts'
import { NotFoundPage } from '../../shell/not-found-page.tsx'
import { RequestDetail } from '../requests/request-page.tsx'
import { anyRequestQuery } from './account/queries.ts'
import { accountSearch } from './account/search.ts'

const route = getRouteApi('/operator/requests/$requestId')

/** Any account's request, as an operator sees it. */
// The return type is explicit: inferred, it would depend on the router's type, which depends on it.
export function OperatorRequestPage(): ReactNode {
  const { requestId } = route.useParams()
  const { data: me } = useQuery(accountQuery)
  const cameFrom = accountSearch(parseSearch(useLocation().state.cameFrom ?? ''))
  const query = useQuery({ ...anyRequestQuery(requestId), enabled: me?.operator === true })
  if (me !== undefined && !me.operator) return <NotFoundPage />
  return (
    <>
      {query.data !== undefined && (
        <BackLink
          to="/operator/accounts/$accountId"
          params={{ accountId: query.data.account_id }}
          search={cameFrom}
        >
          Account
        </BackLink>
      )}
      <PageHeader
        title="Request of a customer"
        description={
          <Text component="span" size="sm" ff="monospace">
            {requestId}
          </Text>
        }
      />
      <Loaded query={query} skeleton={<Skeleton height={600} radius="lg" />}>
        {(request) => <RequestDetail request={request} isOthers />}
      </Loaded>
    </>
  )
}
