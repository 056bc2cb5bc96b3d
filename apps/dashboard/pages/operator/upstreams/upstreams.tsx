import { Skeleton, Stack, Text } from '@mantine/core'
import { IconPlugConnected } from '../../../icons/icons.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { readQuery } from '../../../api/read-query.ts'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Panel } from '../../../components/panel.tsx'
import { StateBadge } from '../../../components/state-badge.tsx'
import { duration, wholeNumber } from '../../../format/number.ts'
import { relativeTo, timeOf } from '../../../format/time.ts'
import { durationOf } from './duration-text.ts'
import { UpstreamAttempts } from './attempts.tsx'
import { UpstreamCredentials } from './credentials.tsx'

type Upstream = Schemas['Upstream']

const refetchMs = 5_000

const upstreamsQuery = queryOptions({
  ...readQuery(['operator', 'upstreams'], '/api/v1/admin/upstreams'),
  refetchInterval: refetchMs,
})

/** The upstreams, how their calls go, and which are in cooldown. */
export function Upstreams() {
  return (
    <Stack gap="lg">
      <UpstreamAttempts />
      <UpstreamsNow />
      <CredentialsNow />
    </Stack>
  )
}

/** The current state on the node that responds. */
function UpstreamsNow() {
  const query = useQuery(upstreamsQuery)
  return (
    <Panel p={0} title="Now, on this node" description="Since it started" isHeadPadded>
      <Loaded query={query} skeleton={<Skeleton height={260} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyNote icon={IconPlugConnected} title="No upstream was called yet">
              Upstreams that this node calls are listed here with their health.
            </EmptyNote>
          ) : (
            <DataTable
              label="Upstreams"
              minWidth={760}
              verticalSpacing="xs"
              columns={columns}
              rows={data.toSorted((left, right) => urgency[left.state] - urgency[right.state])}
              keyOf={({ provider, model, region, key }) => `${provider} ${model} ${region} ${key}`}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}

function CredentialsNow() {
  const { data } = useQuery(upstreamsQuery)
  return data === undefined ? null : <UpstreamCredentials credentials={data.credentials} />
}

const colors: Record<Upstream['state'], string> = {
  working: 'teal',
  failing: 'orange',
  probing: 'blue',
  resting: 'red',
}

/** States that need attention come first. */
const urgency: Record<Upstream['state'], number> = { resting: 0, failing: 1, probing: 2, working: 3 }

const columns: Column<Upstream>[] = [
  { head: 'Upstream', place: 'name', cell: (upstream) => <Name upstream={upstream} /> },
  { head: 'State', cell: (upstream) => <State upstream={upstream} /> },
  { head: 'Answers', align: 'right', cell: ({ answers }) => wholeNumber(answers) },
  { head: 'Failures', align: 'right', cell: ({ failures }) => wholeNumber(failures) },
  {
    head: 'First token',
    align: 'right',
    cell: ({ first_token_ms: timeMs }) => (timeMs === null ? '–' : duration(timeMs)),
  },
  { head: 'Last failure', cell: (upstream) => <LastFailure failure={upstream.last_failure} /> },
]

function Name({ upstream: { provider, model, region, key } }: { upstream: Upstream }) {
  const which = [region, key === null ? null : `key ${key}`].filter((part) => part !== null)
  return (
    <>
      <Text size="sm" fw={500}>
        {provider}/{model}
      </Text>
      {which.length > 0 && (
        <Text size="xs" c="dimmed">
          {which.join(', ')}
        </Text>
      )}
    </>
  )
}

function State({ upstream: { state, rests_for_seconds: seconds, reason } }: { upstream: Upstream }) {
  return (
    <>
      <StateBadge color={colors[state]}>
        {state}
        {seconds > 0 && ` for ${durationOf(seconds)}`}
      </StateBadge>
      {reason !== null && (
        <Text size="xs" c="dimmed" mt={2}>
          {reason}
        </Text>
      )}
    </>
  )
}

function LastFailure({ failure }: { failure: Upstream['last_failure'] }) {
  if (failure === null)
    return (
      <Text size="sm" c="dimmed">
        none
      </Text>
    )
  return (
    <>
      <Text size="sm" className="one-line">
        {failure.result}
      </Text>
      <Text size="xs" c="dimmed" title={timeOf(failure.at)}>
        {relativeTo(failure.at, Date.now())}
      </Text>
    </>
  )
}
