import { Group, Select, Skeleton, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconCube, IconSearch } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { modelsQuery } from '../../api/queries.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { counted } from '../../format/number.ts'
import { modelOrders, type ModelView } from './model-search.ts'
import { ModelTable } from './model-table.tsx'
import { modelsShown } from './models-shown.ts'

const route = getRouteApi('/models')
const typingMs = 250

const orderNames = {
  name: 'By name',
  input: 'Cheapest input',
  output: 'Cheapest output',
  context: 'Longest context',
}

/** What can be called, and what it costs. */
export function ModelsPage() {
  const view = route.useSearch()
  const query = useQuery(modelsQuery)
  return (
    <>
      <PageHeader title="Models" description="Prices are in USD per million tokens, markup included." />
      <Stack gap="md">
        <ModelFilters view={view} providers={[...new Set(query.data?.data.map(({ owned_by: by }) => by))]} />
        <Panel p={0}>
          <Loaded query={query} skeleton={<Skeleton height={520} />}>
            {({ data }) => {
              const shown = modelsShown(data, view)
              return shown.length === 0 ? (
                <EmptyNote icon={IconCube} title="No model fits">
                  {data.length === 0
                    ? 'This gateway has none yet: its operator names providers in the configuration.'
                    : `There are ${counted(data.length, 'model')} without the filters.`}
                </EmptyNote>
              ) : (
                <ModelTable models={shown} />
              )
            }}
          </Loaded>
        </Panel>
      </Stack>
    </>
  )
}

function ModelFilters({ view, providers }: { view: ModelView; providers: string[] }) {
  const navigate = route.useNavigate()
  const [typed, setTyped] = useState(view.q ?? '')
  const change = (changed: ModelView) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
  const search = useDebouncedCallback((q: string) => change({ q: q.trim() }), typingMs)
  return (
    <Group gap="sm">
      <TextInput
        aria-label="Search for models"
        placeholder="Search"
        leftSection={<IconSearch size={16} aria-hidden />}
        flex="3 1 220px"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          search(event.currentTarget.value)
        }}
      />
      <Select
        aria-label="Provider"
        placeholder="Provider"
        clearable
        searchable
        flex="1 1 130px"
        data={providers.toSorted()}
        value={view.provider ?? null}
        onChange={(provider) => change({ provider: provider ?? undefined })}
      />
      <Select
        aria-label="Order"
        flex="1 1 130px"
        allowDeselect={false}
        data={modelOrders.map((value) => ({ value, label: orderNames[value] }))}
        value={view.order ?? 'name'}
        onChange={(order) => change({ order: order ?? undefined })}
      />
    </Group>
  )
}
