import { Button, Code, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { PageButton } from '../../components/page-link.tsx'
import { perMillion } from '../../format/money.ts'
import { shortNumber, wholeNumber } from '../../format/number.ts'
import { isAuto } from './models-shown.ts'
import { RoutedLately } from './routed-lately.tsx'

type Model = Schemas['Model']

/** As many as are drawn at once without being felt. */
const step = 100

export function ModelTable({ models }: { models: Model[] }) {
  const [count, setCount] = useState(step)
  return (
    <>
      <DataTable
        label="Models"
        minWidth={900}
        verticalSpacing="xs"
        isStacked
        columns={columns}
        rows={models.slice(0, count)}
        keyOf={({ id }) => id}
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
  { head: 'Input', align: 'right', cell: (model) => <Price model={model} name="prompt" /> },
  { head: 'Output', align: 'right', cell: (model) => <Price model={model} name="completion" /> },
  {
    head: 'Cached input',
    align: 'right',
    cell: ({ pricing: { input_cache_read: price } }) =>
      price === undefined ? <Nothing /> : perMillion(price),
  },
  { head: 'Context', align: 'right', cell: (model) => shortNumber(model.context_length) },
  {
    head: 'Takes',
    cell: ({ modalities }) => (
      <Text size="sm" c="dimmed">
        {modalities.input.join(', ')}
      </Text>
    ),
  },
  { head: 'Limits a minute', cell: ({ limits }) => <Limits limits={limits} /> },
  {
    head: 'Actions',
    isHeadHidden: true,
    align: 'right',
    place: 'action',
    cell: (model) => <Try model={model} />,
  },
]

/** Of auto-routing it depends on what is chosen: what is listed is the most that it can be. */
function Price({ model, name }: { model: Model; name: 'prompt' | 'completion' }) {
  const price = perMillion(model.pricing[name])
  if (!isAuto(model)) return price
  return (
    <>
      <Text size="sm">depends</Text>
      <Text size="xs" c="dimmed" className="one-line">
        at most {price}
      </Text>
    </>
  )
}

function Name({ model }: { model: Model }) {
  const { id, name } = model
  return (
    <>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      <Group gap={2} wrap="nowrap">
        <Code fz={12}>{id}</Code>
        <CopyIcon value={id} label={`Copy ${id}`} />
      </Group>
      {id === 'turnpike/auto' && <RoutedLately />}
    </>
  )
}

function Try({ model: { id, name } }: { model: Model }) {
  return (
    <PageButton
      to="/playground"
      search={{ model: id }}
      size="compact-sm"
      variant="subtle"
      aria-label={`Try ${name}`}
    >
      Try
    </PageButton>
  )
}

function Nothing() {
  return (
    <Text size="sm" c="dimmed" component="span">
      –
    </Text>
  )
}

function Limits({ limits }: { limits: Model['limits'] }) {
  const words = [
    limits.requests_per_minute !== null && `${shortNumber(limits.requests_per_minute)} requests`,
    limits.input_tokens_per_minute !== null && `${shortNumber(limits.input_tokens_per_minute)} in`,
    limits.output_tokens_per_minute !== null && `${shortNumber(limits.output_tokens_per_minute)} out`,
  ].filter((one) => one !== false)
  return (
    <Text size="sm" c="dimmed">
      {words.length === 0 ? 'none' : words.join(', ')}
    </Text>
  )
}
