import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { PageLink } from '../../components/page-link.tsx'
import { Choice } from '../../filters/choice.tsx'
import { deliveriesQuery, targetsQuery } from './alert-queries.ts'
import type { AlertView } from './alert-search.ts'
import { DeliveryList } from './delivery-list.tsx'
import { typeName } from './event-types.ts'

const route = getRouteApi('/alerts')

/** What was sent to whom, and whether it arrived. */
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
  return (
    <DeliveryList
      query={query}
      cursor={cursor}
      targets={targets?.data}
      filters={
        <Choice
          label="Recipient"
          value={target}
          onChange={(value) => filter({ target: value })}
          offers={targets?.data.map(({ id, name }) => ({ value: id, label: name }))}
        />
      }
      stateLabel="State"
      state={status}
      onState={(value) => filter({ status: value })}
      empty={{
        title: 'No deliveries yet',
        words: 'Send a test to a recipient to see it here.',
      }}
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
      opened={delivery}
      onClose={() => filter({ cursor })}
    />
  )
}
