import { Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { perMillion } from '../../format/money.ts'
import { Unknown } from '../../models/measured.tsx'

type Choice = Schemas['ModelProviders']['choices'][number]

/** The models that auto-routing chooses from, with their prices. */
export function AutoChoices({ choices, models }: { choices: Choice[]; models: readonly Schemas['Model'][] }) {
  const byId = new Map(models.map((model) => [model.id, model]))
  const price = ({ model }: Choice, name: 'prompt' | 'completion') => {
    const found = byId.get(model)
    return found === undefined ? <Unknown /> : perMillion(found.pricing[name])
  }
  const columns: Column<Choice>[] = [
    {
      head: 'Model',
      place: 'name',
      cell: ({ model }) => (
        <PageLink to="/models/$" params={{ _splat: model }}>
          {model}
        </PageLink>
      ),
    },
    {
      head: 'For requests that are',
      cell: ({ tiers }) => (
        <Text size="sm" c="dimmed" component="span">
          {tiers.join(', ')}
        </Text>
      ),
    },
    { head: 'Input', align: 'right', cell: (choice) => price(choice, 'prompt') },
    { head: 'Output', align: 'right', cell: (choice) => price(choice, 'completion') },
  ]
  return (
    <DataTable
      label="Candidate models"
      minWidth={520}
      columns={columns}
      rows={choices}
      keyOf={({ model }) => model}
    />
  )
}
