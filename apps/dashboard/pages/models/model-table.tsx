import { Button, Checkbox, Code, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { perMillion } from '../../format/money.ts'
import { shortNumber, wholeNumber } from '../../format/number.ts'
import { capabilities, capabilitiesOf } from '../../models/capabilities.ts'
import { Unknown } from '../../models/measured.tsx'
import { ModelPrice } from '../../models/prices.tsx'
import { useSession } from '../../sign-in/session-context.ts'
import { mostCompared } from './model-search.ts'
import { RoutedLately } from '../../models/routed-lately.tsx'

type Model = Schemas['Model']

/** The number of rows that can be drawn at once without a noticeable delay. */
const step = 100

interface ModelTableProps {
  models: Model[]
  /** Picked for comparison. */
  picked: readonly string[]
  onPick: (id: string) => void
}

export function ModelTable({ models, picked, onPick }: ModelTableProps) {
  const [count, setCount] = useState(step)
  return (
    <>
      <DataTable
        label="Models"
        minWidth={900}
        verticalSpacing="xs"
        columns={[...columns, pickColumn(picked, onPick)]}
        rows={models.slice(0, count)}
        keyOf={({ id }) => id}
        isChosen={({ id }) => picked.includes(id)}
      />
      {models.length > count && (
        <Group justify="center" p="md">
          <Button variant="default" size="xs" onClick={() => setCount(count + step)}>
            Show more ({wholeNumber(models.length - count)} left)
          </Button>
        </Group>
      )}
    </>
  )
}

const columns: Column<Model>[] = [
  { head: 'Model', place: 'name', cell: (model) => <Name model={model} /> },
  { head: 'Input', align: 'right', cell: (model) => <ModelPrice model={model} name="prompt" /> },
  { head: 'Output', align: 'right', cell: (model) => <ModelPrice model={model} name="completion" /> },
  {
    head: 'Cached input',
    align: 'right',
    visibleFrom: 'lg',
    cell: ({ pricing: { input_cache_read: price } }) =>
      price === undefined ? <Unknown /> : perMillion(price),
  },
  { head: 'Context', align: 'right', cell: (model) => shortNumber(model.context_length) },
  {
    head: 'Can',
    place: 'words',
    cell: (model) => (
      <Text size="sm" c="dimmed" component="span">
        {capabilityWords(model)}
      </Text>
    ),
  },
]

function capabilityWords(model: Model): string {
  const words = capabilitiesOf(model)
    .filter((name) => name !== 'cache')
    .map((name) => capabilities[name].label.toLowerCase())
  return words.length === 0 ? '–' : words.join(', ').replaceAll('json', 'JSON')
}

function pickColumn(picked: readonly string[], onPick: (id: string) => void): Column<Model> {
  return {
    head: 'Compare',
    align: 'right',
    place: 'action',
    cell: ({ id, name }) => (
      <Group justify="flex-end">
        <Checkbox
          aria-label={`Compare ${name} (${id})`}
          checked={picked.includes(id)}
          disabled={picked.length >= mostCompared && !picked.includes(id)}
          onChange={() => onPick(id)}
        />
      </Group>
    ),
  }
}

function Name({ model: { id, name } }: { model: Model }) {
  const { user } = useSession()
  return (
    <>
      <PageLink to="/models/$" params={{ _splat: id }} fw={500}>
        {name}
      </PageLink>
      <Group gap={2} wrap="nowrap">
        <Code fz={12}>{id}</Code>
        <CopyIcon value={id} label={`Copy ${id}`} />
      </Group>
      {id === 'turnpike/auto' && user !== undefined && <RoutedLately />}
    </>
  )
}
