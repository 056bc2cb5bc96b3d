import { Button, SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { IconKey, IconPlus } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { keysQuery } from '../../api/queries.ts'
import type { Schemas } from '../../api/client.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { KeyDialogs } from './key-dialogs.tsx'
import { KeyTable } from './key-table.tsx'

const route = getRouteApi('/keys')

export function KeysPage() {
  const { show = 'active' } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(keysQuery)
  return (
    <>
      <PageHeader
        title="Keys"
        description={
          'Each key spends its own credit. A key is shown once, when it is made; ' +
          'the gateway keeps only its hash.'
        }
      >
        <Button
          leftSection={<IconPlus size={16} />}
          onClick={() => void navigate({ search: { show, action: 'new' } })}
        >
          Create a key
        </Button>
      </PageHeader>
      <Stack gap="md">
        <SegmentedControl
          aria-label="Which keys"
          w="fit-content"
          value={show}
          data={[
            { value: 'active', label: 'Active' },
            { value: 'revoked', label: 'Revoked' },
          ]}
          onChange={(value) => void navigate({ search: { show: value } })}
        />
        <Panel p={0}>
          <Loaded query={query} skeleton={<Skeleton height={220} />}>
            {({ data }) => <KeyList keys={data.filter(({ status }) => status === show)} show={show} />}
          </Loaded>
        </Panel>
      </Stack>
      <KeyDialogs keys={query.data?.data ?? []} />
    </>
  )
}

function KeyList({ keys, show }: { keys: Schemas['Key'][]; show: Schemas['Key']['status'] }) {
  if (keys.length > 0) return <KeyTable keys={keys} />
  if (show === 'revoked') return <EmptyNote icon={IconKey} title="No key has been revoked" />
  return (
    <EmptyNote icon={IconKey} title="No keys yet">
      A key lets a program call models through the gateway. Give each program its own, and see what each one
      spends.
    </EmptyNote>
  )
}
