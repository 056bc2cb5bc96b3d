import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Facts } from '../../components/facts.tsx'
import { FailureNote } from '../../components/failure-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { duration } from '../../format/number.ts'
import { exactTimeOf, relativeTo } from '../../format/time.ts'
import { IconRefresh } from '../../icons/icons.ts'
import { deliveryQuery, eventQuery, redeliver, type Delivery } from './alert-queries.ts'
import { typeName } from './event-types.ts'

export const deliveryColors: Record<Delivery['status'], string> = {
  pending: 'orange',
  delivered: 'teal',
  failed: 'red',
  cancelled: 'gray',
}

interface DeliveryLogProps {
  deliveryId: string
  nameOf: (targetId: string) => string
  /** Another account's, as an operator sees it. */
  customerId?: string
}

/** Every attempt of a delivery, what was sent, and a button to send it again. */
export function DeliveryLog({ deliveryId, nameOf, customerId }: DeliveryLogProps) {
  const query = useQuery(deliveryQuery(deliveryId, customerId))
  return (
    <Loaded query={query} skeleton={<Skeleton height={320} />}>
      {(delivery) => <Log delivery={delivery} nameOf={nameOf} customerId={customerId} />}
    </Loaded>
  )
}

interface LogProps {
  delivery: Schemas['DeliveryWithLog']
  nameOf: (targetId: string) => string
  customerId: string | undefined
}

function Log({ delivery, nameOf, customerId }: LogProps) {
  const { id, event_id: eventId, event_type: type, target_id: target, status, log } = delivery
  const event = useQuery(eventQuery(eventId, customerId))
  const again = useChange(customerId === undefined ? 'alerts' : 'operator', undefined, () =>
    redeliver(id, customerId),
  )
  return (
    <Stack>
      <Facts
        facts={[
          ['Event', typeName(type)],
          ['Recipient', nameOf(target)],
          ['State', <StateBadge key="state" color={deliveryColors[status]} children={status} />],
          [
            'Next attempt',
            delivery.next_attempt_at === null ? null : relativeTo(delivery.next_attempt_at, Date.now()),
          ],
          ['Identifier', eventId],
        ]}
      />
      <Attempts log={log} />
      <Loaded query={event} skeleton={<Skeleton height={120} />}>
        {({ data }) => <CodeBlock code={JSON.stringify(data, null, 2)} label="Event data" wrap />}
      </Loaded>
      {again.error !== null && <FailureNote error={again.error} />}
      {status !== 'pending' && (
        <Group justify="flex-end">
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            loading={again.isPending}
            onClick={() => again.mutate()}
          >
            Send it again
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Attempts({ log }: { log: Schemas['DeliveryWithLog']['log'] }) {
  if (log.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No attempts yet.
      </Text>
    )
  return (
    <Stack component="ol" gap="sm" m={0} pl="lg">
      {log.map(({ number, at, status, duration_ms: took, error, answer }) => (
        <li key={number}>
          <Text size="sm" component="div">
            {exactTimeOf(at)}: {error ?? 'delivered'}
            {status !== null && `, status ${status}`}, {duration(took)}
          </Text>
          {answer !== null && answer !== '' && (
            <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {answer}
            </Text>
          )}
        </li>
      ))}
    </Stack>
  )
}
