import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { EmptyNote } from '../../components/empty-note.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Facts } from '../../components/facts.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Paged } from '../../components/paged.tsx'
import { Panel } from '../../components/panel.tsx'
import { Choice } from '../../filters/choice.tsx'
import { timeOf } from '../../format/time.ts'
import { IconBell } from '../../icons/icons.ts'
import { deliveryStates } from '../alerts/alert-search.ts'
import { DeliveryLog } from '../alerts/delivery-log.tsx'
import { DeliveryTable } from '../alerts/delivery-table.tsx'
import { typeName } from '../alerts/event-types.ts'
import { customerDeliveriesQuery, customerEventsQuery, customerTargetsQuery } from './account-queries.ts'
import type { AccountView } from './account-search.ts'

const route = getRouteApi('/operator/accounts/$accountId')

/** What was told to whom on behalf of the account, and whether it arrived. */
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
  const nameOf = (id: string): string => targets?.data.find((one) => one.id === id)?.name ?? 'deleted'
  return (
    <Stack gap="sm">
      <LatestEvents accountId={accountId} />
      <Group gap="sm">
        <Choice
          label="State of what was told"
          value={state}
          onChange={(value) => show({ state: deliveryStates.find((one) => one === value) })}
          offers={deliveryStates.map((value) => ({ value, label: value }))}
        />
      </Group>
      <Paged
        query={query}
        cursor={cursor}
        skeletonHeight={260}
        empty={
          <EmptyNote icon={IconBell} title={state === undefined ? 'Nothing was told' : `Nothing is ${state}`}>
            What an account is told of is chosen by its owners: balance, budgets, keys, top-ups.
          </EmptyNote>
        }
      >
        {(rows) => (
          <DeliveryTable
            deliveries={rows}
            nameOf={nameOf}
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
          />
        )}
      </Paged>
      <FormDialog opened={row !== undefined} onClose={() => show({ cursor })} title="Delivery" size="lg">
        {row !== undefined && <DeliveryLog deliveryId={row} nameOf={nameOf} customerId={accountId} />}
      </FormDialog>
    </Stack>
  )
}

/** What happened, whether anybody was told of it or not. */
function LatestEvents({ accountId }: { accountId: string }) {
  const query = useQuery(customerEventsQuery(accountId))
  return (
    <Panel title="What happened lately">
      <Loaded query={query} skeleton={<Skeleton height={80} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing that an account is told of.
            </Text>
          ) : (
            <Facts facts={data.map(({ type, created_at: at }) => [typeName(type), timeOf(at)])} />
          )
        }
      </Loaded>
    </Panel>
  )
}
