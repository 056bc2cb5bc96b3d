import { Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { EmptyNote } from '../../components/empty-note.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Paged } from '../../components/paged.tsx'
import { Choice } from '../../filters/choice.tsx'
import { IconBell } from '../../icons/icons.ts'
import { deliveriesQuery, targetsQuery } from './alert-queries.ts'
import { deliveryStates, type AlertView } from './alert-search.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { typeName } from './event-types.ts'

const route = getRouteApi('/alerts')

/** What was told to whom, and whether it arrived. */
export default function Deliveries() {
  const { cursor, target, status, delivery } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(
    deliveriesQuery({
      ...(cursor !== undefined && { cursor }),
      ...(target !== undefined && { target_id: target }),
      ...(status !== undefined && { status }),
    }),
  )
  const { data: targets } = useQuery(targetsQuery)
  const filter = (changed: AlertView) =>
    void navigate({ search: { show: 'deliveries', target, status, ...changed }, replace: true })
  const close = () => filter({ cursor })
  const nameOf = (id: string): string => targets?.data.find((one) => one.id === id)?.name ?? 'deleted'
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Choice
          label="Recipient"
          value={target}
          onChange={(value) => filter({ target: value })}
          offers={targets?.data.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Choice
          label="State"
          value={status}
          onChange={(value) => filter({ status: deliveryStates.find((one) => one === value) })}
          offers={deliveryStates.map((value) => ({ value, label: value }))}
        />
      </Group>
      <Paged
        query={query}
        cursor={cursor}
        skeletonHeight={260}
        empty={
          <EmptyNote icon={IconBell} title="Nothing was told yet">
            Send a test to a recipient, and see it arrive here.
          </EmptyNote>
        }
      >
        {(rows) => (
          <DeliveryTable
            deliveries={rows}
            nameOf={nameOf}
            linkOf={({ id, event_type: type }) => (
              <PageLink
                from="/alerts"
                to="/alerts"
                search={(before: AlertView) => ({ ...before, show: 'deliveries' as const, delivery: id })}
                resetScroll={false}
                fw={500}
              >
                {typeName(type)}
              </PageLink>
            )}
          />
        )}
      </Paged>
      <FormDialog opened={delivery !== undefined} onClose={close} title="Delivery" size="lg">
        {delivery !== undefined && <DeliveryLog deliveryId={delivery} nameOf={nameOf} />}
      </FormDialog>
    </Stack>
  )
}
