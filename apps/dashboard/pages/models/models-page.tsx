import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import { IconCube } from '../../icons/icons.ts'
import { modelsQuery } from '../../api/model-queries.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { countOf } from '../../format/number.ts'
import { CompareTray } from './compare-tray.tsx'
import { ModelFilters } from './model-filters.tsx'
import { toggleModel } from './model-choices.ts'
import type { ModelView } from './model-search.ts'
import { ModelTable } from './model-table.tsx'
import { modelsShown } from './models-shown.ts'

const route = getRouteApi('/models/')

/** All models that can be called, with their prices. */
export function ModelsPage() {
  const view = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(modelsQuery)
  const picked = view.pick ?? []
  const change = (changed: ModelView) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
  const pick = (id: string) => change({ pick: toggleModel(picked, id) })
  return (
    <>
      <PageHeader title="Models" description="Prices are in USD per million tokens, markup included." />
      <Stack gap="md">
        <ModelFilters
          view={view}
          providers={[...new Set(query.data?.data.map(({ owned_by: by }) => by))]}
          onChange={change}
        />
        <Panel p={0}>
          <Loaded query={query} skeleton={<Skeleton height={520} />}>
            {({ data }) => <Found models={data} view={view} onPick={pick} />}
          </Loaded>
        </Panel>
        <CompareTray picked={picked} onRemove={pick} onClear={() => change({ pick: undefined })} />
      </Stack>
    </>
  )
}

interface FoundProps {
  models: Parameters<typeof modelsShown>[0]
  view: ModelView
  onPick: (id: string) => void
}

function Found({ models, view, onPick }: FoundProps) {
  // The input field updates first, the table afterwards.
  const deferredView = useDeferredValue(view)
  const shown = useMemo(() => modelsShown(models, deferredView), [models, deferredView])
  if (shown.length > 0)
    return (
      // A new filter starts again with the first rows.
      <ModelTable
        key={JSON.stringify({ ...deferredView, pick: undefined })}
        models={shown}
        picked={view.pick ?? []}
        onPick={onPick}
      />
    )
  return (
    <EmptyNote icon={IconCube} title="No matching models">
      {models.length === 0
        ? 'This gateway has no models yet. The operator adds providers in the configuration.'
        : `${countOf(models.length, 'model')} without the filters.`}
    </EmptyNote>
  )
}
