import { Badge, Code, Group, Table, Text, VisuallyHidden } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { Money } from '../../components/money.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { dateOf, relativeTo, timeOf } from '../../format/time.ts'
import { KeyMenu } from './key-menu.tsx'

type Key = Schemas['Key']

export function KeyTable({ keys }: { keys: Key[] }) {
  const nowMs = Date.now()
  return (
    <ScrollTable label="Keys" minWidth={720} isStacked>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th ta="right">Credit</Table.Th>
          <Table.Th>Limits</Table.Th>
          <Table.Th>Last used</Table.Th>
          <Table.Th>Made</Table.Th>
          <Table.Th w={56}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((key) => (
          <Table.Tr key={key.id}>
            <Table.Td data-place="name">
              <Text size="sm" fw={600}>
                {key.name}
              </Text>
              <Code fz={12}>{key.key_prefix}…</Code>
            </Table.Td>
            <Table.Td ta="right" fw={600} data-place="figure">
              <Money amount={key.balance_usd} />
            </Table.Td>
            <Table.Td data-label="Limits">
              <Limits limited={key} />
            </Table.Td>
            <Table.Td data-label="Last used">
              <When seconds={key.last_used_at} nowMs={nowMs} otherwise="never" />
            </Table.Td>
            <Table.Td data-label="Made">
              <Text size="sm" c="dimmed" title={timeOf(key.created_at)}>
                {dateOf(key.created_at)}
              </Text>
            </Table.Td>
            <Table.Td data-place="action">{key.status === 'active' && <KeyMenu owner={key} />}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}

function When({ seconds, nowMs, otherwise }: { seconds: number | null; nowMs: number; otherwise: string }) {
  return (
    <Text size="sm" c="dimmed" title={seconds === null ? undefined : timeOf(seconds)}>
      {seconds === null ? otherwise : relativeTo(seconds, nowMs)}
    </Text>
  )
}

/** What a key may not do, in a few words each. */
function Limits({ limited }: { limited: Key }) {
  const words = [
    limited.spend_limit_usd !== null && (
      <>
        <Money amount={limited.spend_limit_usd} />
        {limited.spend_limit_period === 'total' ? ' in all' : ` a ${limited.spend_limit_period}`}
      </>
    ),
    limited.allowed_models !== null &&
      (limited.allowed_models.length === 1
        ? limited.allowed_models[0]
        : `${limited.allowed_models.length} models`),
    limited.expires_at !== null && `until ${dateOf(limited.expires_at)}`,
  ].filter((one) => one !== false)
  if (words.length === 0)
    return (
      <Text size="sm" c="dimmed">
        none
      </Text>
    )
  return (
    <Group gap={6}>
      {words.map((word, index) => (
        <Badge key={index} variant="light" color="gray" tt="none" fw={500} radius="sm">
          {word}
        </Badge>
      ))}
    </Group>
  )
}
