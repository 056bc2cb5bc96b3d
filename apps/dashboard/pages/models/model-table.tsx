import { Button, Code, Group, Table, Text, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { perMillion } from '../../format/money.ts'
import { shortNumber, wholeNumber } from '../../format/number.ts'

type Model = Schemas['Model']

/** As many as are drawn at once without being felt. */
const step = 100

export function ModelTable({ models }: { models: Model[] }) {
  const [count, setCount] = useState(step)
  return (
    <>
      <ScrollTable label="Models" minWidth={900} verticalSpacing="xs" isStacked>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Model</Table.Th>
            <Table.Th ta="right">Input</Table.Th>
            <Table.Th ta="right">Output</Table.Th>
            <Table.Th ta="right">Cached input</Table.Th>
            <Table.Th ta="right">Context</Table.Th>
            <Table.Th>Takes</Table.Th>
            <Table.Th>Limits a minute</Table.Th>
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {models.slice(0, count).map((model) => (
            <ModelRow key={model.id} model={model} />
          ))}
        </Table.Tbody>
      </ScrollTable>
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

function ModelRow({ model }: { model: Model }) {
  const { pricing } = model
  return (
    <Table.Tr>
      <Table.Td data-place="name">
        <Text size="sm" fw={500}>
          {model.name}
        </Text>
        <Group gap={2} wrap="nowrap">
          <Code fz={12}>{model.id}</Code>
          <CopyIcon value={model.id} label={`Copy ${model.id}`} />
        </Group>
      </Table.Td>
      <Table.Td ta="right" data-label="Input">
        {perMillion(pricing.prompt)}
      </Table.Td>
      <Table.Td ta="right" data-label="Output">
        {perMillion(pricing.completion)}
      </Table.Td>
      <Table.Td ta="right" data-label="Cached input">
        {pricing.input_cache_read === undefined ? <Nothing /> : perMillion(pricing.input_cache_read)}
      </Table.Td>
      <Table.Td ta="right" data-label="Context">
        {shortNumber(model.context_length)}
      </Table.Td>
      <Table.Td data-label="Takes">
        <Text size="sm" c="dimmed">
          {model.modalities.input.join(', ')}
        </Text>
      </Table.Td>
      <Table.Td data-label="Limits a minute">
        <Limits limits={model.limits} />
      </Table.Td>
      <Table.Td ta="right" data-place="action">
        <Button
          size="compact-sm"
          variant="subtle"
          renderRoot={(props) => <Link to="/playground" search={{ model: model.id }} {...props} />}
          aria-label={`Try ${model.name}`}
        >
          Try
        </Button>
      </Table.Td>
    </Table.Tr>
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
