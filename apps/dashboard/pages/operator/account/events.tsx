import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Facts } from '../../../components/facts.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { PageLink } from '../../../components/page-link.tsx'
import { Panel } from '../../../components/panel.tsx'
import { timeOf } from '../../../format/time.ts'
import { DeliveryList } from '../../alerts/delivery-list.tsx'
import { typeName } from '../../alerts/event-types.ts'
import { customerDeliveriesQuery, customerEventsQuery, customerTargetsQuery } from './queries.ts'
import type { AccountView } from './search.ts'

const route = getRouteApi('/operator/accounts/$accountId')

/** The account's deliveries and events. */
export function AccountEvents() {
  const { accountId } = route.useParams()
  const { cursor, state, row, days, from, to } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(
    customerDeliveriesQuery(accountId, {
      ...(cursor !== undefined && { cursor }),
      ...(state !== undefined && { status: state }),
    }),
  )
  const { data: targets } = useQuery(customerTargetsQuery(accountId))
  const show = (changed: Pick<AccountView, 'cursor' | 'state' | 'row'>) =>
    void navigate({
      search: { show: 'events', days, from, to, state, ...changed },
      replace: true,
      resetScroll: false,
    })
  return (
    <Stack gap="sm">
      <LatestEvents accountId={accountId} />
      <DeliveryList
        query={query}
        cursor={cursor}
        targets={targets?.data}
        stateLabel="Delivery status"
        state={state}
        onState={(value) => show({ state: value })}
        empty={{
          title: state === undefined ? 'No deliveries' : `No ${state} deliveries`,
          words: 'The owners of an account choose its notifications: balance, budgets, keys, top-ups.',
        }}
        linkOf={({ id, event_type: type }) => (
          <PageLink
            from="/operator/accounts/$accountId"
            to="/operator/accounts/$accountId"
            search={(before: AccountView) => ({ ...before, row: id })}
            resetScroll={false}
            fw={500}
          >
            {typeName(type)}
          </PageLink>
        )}
        opened={row}
        onClose={() => show({ cursor })}
        customerId={accountId}
      />
    </Stack>
  )
}

/** Latest events, whether or not somebody was notified of them. */
function LatestEvents({ accountId }: { accountId: string }) {
  const query = useQuery(customerEventsQuery(accountId))
  return (
    <Panel title="Recent events">
      <Loaded query={query} skeleton={<Skeleton height={80} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              No events.
            </Text>
          ) : (
            <Facts facts={data.map(({ type, created_at: at }) => [typeName(type), timeOf(at)])} />
          )
        }
      </Loaded>
    </Panel>
  )
}
