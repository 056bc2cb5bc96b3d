import { Alert, Skeleton, Stack, Text } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { modelsQuery, providersQuery } from '../../api/model-queries.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { IconScale } from '../../icons/icons.ts'
import { toggleModel } from '../models/model-choices.ts'
import { mostCompared } from '../models/model-search.ts'
import { AddModel } from './add-model.tsx'
import { CompareTable } from './compare-table.tsx'

const route = getRouteApi('/compare')
const none: string[] = []
const pricesNote = 'Prices are in USD per million tokens, markup included.'

/** Up to four models next to each other. The address can be shared. */
export function ComparePage() {
  const { models: chosen = none } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(modelsQuery)
  const toggle = (id: string): void =>
    void navigate({ search: { models: toggleModel(chosen, id) }, replace: true, resetScroll: false })
  return (
    <>
      <Text size="sm" mb="xs">
        <PageLink to="/models" search={{ pick: chosen }}>
          Models
        </PageLink>
      </Text>
      <PageHeader
        title="Compare models"
        description={`Up to ${mostCompared}. ${pricesNote} Copy the page's address to share this comparison.`}
      >
        {query.data !== undefined && chosen.length < mostCompared && (
          <AddModel models={query.data.data} chosen={chosen} onAdd={toggle} />
        )}
      </PageHeader>
      <Loaded query={query} skeleton={<Skeleton height={640} />}>
        {({ data }) => <Comparison chosen={chosen} models={data} onToggle={toggle} />}
      </Loaded>
    </>
  )
}

interface ComparisonProps {
  chosen: string[]
  models: Schemas['Model'][]
  onToggle: (id: string) => void
}

function Comparison({ chosen, models, onToggle }: ComparisonProps) {
  const found = chosen.flatMap((id) => models.find((model) => model.id === id) ?? [])
  const gone = chosen.filter((id) => found.every((model) => model.id !== id))
  const providers = useQueries({ queries: found.map(({ id }) => providersQuery(id)) })
  return (
    <Stack gap="md">
      {gone.length > 0 && (
        <Alert color="yellow" role="status">
          Model not found: {gone.join(', ')}.
        </Alert>
      )}
      <Panel p={0}>
        {found.length === 0 ? (
          <EmptyNote icon={IconScale} title="Nothing to compare yet">
            Add a model here, or select some in the list of models.
          </EmptyNote>
        ) : (
          <CompareTable
            all={found.map((model, index) => ({ model, providers: providers[index]?.data }))}
            onRemove={onToggle}
          />
        )}
      </Panel>
    </Stack>
  )
}
