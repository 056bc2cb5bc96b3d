import { Button, Group, Pagination, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconKey, IconPlus, IconSearch } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { currentOrganization } from '../../api/acting.ts'
import { useMay } from '../../api/permissions.ts'
import { keysQuery } from '../../api/queries.ts'
import type { Schemas } from '../../api/client.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { wholeNumber } from '../../format/number.ts'
import { ConnectedApps } from './connected-apps.tsx'
import { KeyDialogs } from './key-dialogs.tsx'
import type { KeyView } from './key-search.ts'
import { isOf, OwnerFilter } from './owner-filter.tsx'
import { KeyTable } from './key-table.tsx'

const route = getRouteApi('/keys')
const pageSize = 50
/** With fewer keys, no search field is needed. */
const searchableFrom = 10
const typingMs = 250

export function KeysPage() {
  const view = route.useSearch()
  const { show = 'active', q, page = 1 } = view
  const may = useMay()
  const navigate = route.useNavigate()
  const query = useQuery(keysQuery)
  return (
    <>
      <PageHeader
        title="Keys"
        description={
          'Keys spend the credit of the account, or their own. A key is shown only once, when you ' +
          'create it. The gateway stores only its hash.'
        }
      >
        {may('keys:write') && (
          <Button
            leftSection={<IconPlus size={16} />}
            onClick={() =>
              void navigate({ search: (before) => ({ ...before, action: 'new', key: undefined }) })
            }
          >
            Create a key
          </Button>
        )}
      </PageHeader>
      <Stack gap="md">
        <Group gap="sm">
          <SegmentedControl
            aria-label="Key status"
            value={show}
            data={[
              { value: 'active', label: 'Active' },
              { value: 'revoked', label: 'Revoked' },
            ]}
            onChange={(value) => void navigate({ search: { ...ownerOf(view), show: value, q } })}
          />
          {(query.data?.data.length ?? 0) > searchableFrom && <KeySearch q={q} />}
          <OwnerFilter />
        </Group>
        <Panel p={0}>
          <Loaded query={query} skeleton={<Skeleton height={220} />}>
            {({ data }) => (
              <KeyList
                keys={data
                  .filter(({ status }) => status === show)
                  .filter((key) => fits(key, q) && isOf(view, key))}
                all={data}
                show={show}
                isFiltered={q !== undefined || Object.keys(ownerOf(view)).length > 0}
                page={page}
              />
            )}
          </Loaded>
        </Panel>
        {currentOrganization() === undefined && <ConnectedApps />}
      </Stack>
      <KeyDialogs keys={query.data?.data ?? []} />
    </>
  )
}

function ownerOf({ member, project, owner }: KeyView): KeyView {
  return { ...(member && { member }), ...(project && { project }), ...(owner && { owner }) }
}

/** Searches the name, prefix and ID. */
function fits({ name, key_prefix: prefix, id }: Schemas['Key'], q = ''): boolean {
  const search = q.trim().toLowerCase()
  return [name, prefix, id].some((text) => text.toLowerCase().includes(search))
}

function KeySearch({ q = '' }: { q: string | undefined }) {
  const navigate = route.useNavigate()
  const [typed, setTyped] = useState(q)
  const search = useDebouncedCallback(
    (text: string) =>
      void navigate({ search: (before) => ({ ...before, q: text.trim(), page: undefined }), replace: true }),
    typingMs,
  )
  return (
    <TextInput
      aria-label="Search keys"
      placeholder="Name or key prefix"
      leftSection={<IconSearch size={16} aria-hidden />}
      flex="0 1 280px"
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        search(event.currentTarget.value)
      }}
    />
  )
}

interface KeyListProps {
  keys: Schemas['Key'][]
  all: Schemas['Key'][]
  show: Schemas['Key']['status']
  /** The list is filtered. */
  isFiltered: boolean
  page: number
}

function KeyList({ keys, all, show, isFiltered, page }: KeyListProps) {
  const navigate = route.useNavigate()
  if (keys.length > 0) {
    const count = Math.ceil(keys.length / pageSize)
    const shown = Math.min(page, count)
    const start = (shown - 1) * pageSize
    return (
      <>
        <KeyTable keys={keys.slice(start, start + pageSize)} all={all} />
        {count > 1 && (
          <Group justify="space-between" p="md">
            <Text size="sm" c="dimmed" className="figures">
              {start + 1}–{Math.min(start + pageSize, keys.length)} of {wholeNumber(keys.length)}
            </Text>
            <Pagination
              size="sm"
              total={count}
              value={shown}
              getControlProps={(control) => ({ 'aria-label': `The ${control} page` })}
              getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
              onChange={(to) => void navigate({ search: (before) => ({ ...before, page: to }) })}
            />
          </Group>
        )}
      </>
    )
  }
  if (isFiltered) return <EmptyNote icon={IconKey} title="No matching keys" />
  if (show === 'revoked') return <EmptyNote icon={IconKey} title="No revoked keys" />
  return (
    <EmptyNote icon={IconKey} title="No keys yet">
      A key lets a program call models through the gateway. Give each program its own key to see what it
      spends.
    </EmptyNote>
  )
}
