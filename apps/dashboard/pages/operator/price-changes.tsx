import { Group, Stack, Text, Title } from '@mantine/core'
import { IconCoin } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { readQuery } from '../../api/read-query.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { EmptyNote } from '../../components/empty-note.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Paged } from '../../components/tables/paged.tsx'
import { SearchField } from '../../components/forms/search-field.tsx'
import { RangeFilter } from '../../filters/range-filter.tsx'
import { timesOf } from '../../filters/usage-filters.ts'
import { perMillion } from '../../format/money.ts'
import { exactTimeOf } from '../../format/time.ts'
import type { OperatorView } from './operator-search.ts'

type Change = Schemas['PriceHistoryEntry']

const route = getRouteApi('/operator')
/** Prices that are per unit, not per token. */
const perUnit = /(?:web_search|search_unit|grounded_prompt|citation|request)$/

/** Which prices changed, when, and the source of the change. */
export function PriceChanges() {
  const { cursor, model, days, from, to } = route.useSearch()
  const navigate = route.useNavigate()
  const parameters = { cursor, ...(model && { model }), ...timesOf({ days, from, to }, Date.now()) }
  const query = useQuery(
    readQuery(['operator', 'price changes', parameters], '/api/v1/admin/prices/changes', {
      query: parameters,
    }),
  )
  const change = (changed: OperatorView) =>
    void navigate({ search: { show: 'prices', model, days, from, to, ...changed }, replace: true })
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h5">
          Price history
        </Title>
        <Text size="sm" c="dimmed">
          USD per million tokens or per unit; vendor prices without markup.
        </Text>
      </div>
      <Group gap="sm">
        <SearchField
          label="Model"
          placeholder="Full model name"
          value={model}
          onSearch={(text) => change({ model: text })}
        />
        <RangeFilter
          range={{ days, from, to }}
          isOptional
          onChange={(range) => change({ days: undefined, from: undefined, to: undefined, ...range })}
        />
      </Group>
      <Paged
        query={query}
        cursor={cursor}
        empty={
          <EmptyNote icon={IconCoin} title="No price changes">
            Changes are recorded when they take effect: through a refresh, a price file, the configuration, or
            a new version of the gateway.
          </EmptyNote>
        }
        skeletonHeight={260}
      >
        {(changes) => (
          <DataTable
            label="Prices that changed"
            minWidth={760}
            verticalSpacing="xs"
            columns={columns}
            rows={changes}
            keyOf={({ id }) => id}
          />
        )}
      </Paged>
    </Stack>
  )
}

const columns: Column<Change>[] = [
  {
    head: 'Model',
    place: 'name',
    cell: ({ model }) => (
      <Text size="sm" fw={500} component="div" maw={280}>
        {model === '*' ? 'All models' : <ForeignText text={model} />}
      </Text>
    ),
  },
  { head: 'Price', place: 'words', cell: ({ price }) => <Text size="sm">{price}</Text> },
  { head: 'From', align: 'right', cell: ({ before, price }) => formatPrice(before, price) },
  {
    head: 'To',
    align: 'right',
    weight: 600,
    place: 'figure',
    cell: ({ after, price }) => formatPrice(after, price),
  },
  { head: 'Change', align: 'right', cell: (change) => movement(change) },
  {
    head: 'When and source',
    place: 'words',
    cell: ({ created_at: at, source, version }) => (
      <div style={{ maxWidth: 260 }}>
        <Text size="sm">{exactTimeOf(at)}</Text>
        <Text size="xs" c="dimmed" component="div" title={version}>
          <ForeignText text={source} />
        </Text>
      </div>
    ),
  },
]

/** Token prices per million, all others per unit. */
function formatPrice(price: string | null, name: string): string {
  if (price === null) return 'none'
  if (name === 'markup') return `× ${price}`
  return perUnit.test(name) || !/^\d+(\.\d+)?$/.test(price) ? `$${price}` : perMillion(price)
}

function movement({ before, after }: Change): string {
  const [old, now] = [Number(before), Number(after)]
  if (before === null) return 'new'
  if (after === null) return 'gone'
  if (old === 0) return '–'
  const percent = ((now - old) / old) * 100
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent).toFixed(Math.abs(percent) < 10 ? 1 : 0)} %`
}
