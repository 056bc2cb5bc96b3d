import { Box, Group, Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { Money } from '../../components/money.tsx'
import { endpointNames } from '../../filters/endpoints.ts'
import { duration, wholeNumber } from '../../format/number.ts'
import { OutcomeBadge } from './outcome-badge.tsx'
import classes from './request-list.module.css'
import { ModelName, RequestLink, type OfAccount } from './request-table.tsx'
import { Tags } from './tags.tsx'

interface RequestListProps {
  requests: Schemas['Request'][]
  ofAccount?: OfAccount
}

/** The requests for a phone: one below the other. */
export function RequestList({ requests, ofAccount }: RequestListProps) {
  return (
    <Box component="ul" className={classes.list} hiddenFrom="sm">
      {requests.map((request) => (
        <li key={request.id} className={classes.request}>
          <Group justify="space-between" wrap="nowrap">
            <RequestLink request={request} {...(ofAccount && { ofAccount })} />
            <Text size="sm" fw={600}>
              <Money amount={request.cost_usd} />
            </Text>
          </Group>
          <ModelName request={request} />
          <Group justify="space-between" mt={6} gap="xs">
            <Group gap="xs">
              <OutcomeBadge outcome={request.outcome} />
              <Text size="xs" c="dimmed">
                {endpointNames[request.endpoint]}
              </Text>
            </Group>
            <Text size="xs" c="dimmed" className="figures">
              {wholeNumber(request.tokens_in)} / {wholeNumber(request.tokens_out)} tokens,{' '}
              {duration(request.latency_ms)}
            </Text>
          </Group>
          {request.tags.length > 0 && (
            <Box mt={8}>
              <Tags tags={request.tags} />
            </Box>
          )}
        </li>
      ))}
    </Box>
  )
}
