import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconScale } from '../../../icons/icons.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, bodyOf, type Schemas } from '../../../api/client.ts'
import { readQuery } from '../../../api/read-query.ts'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { FailureNote } from '../../../components/failure-note.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Paged } from '../../../components/tables/paged.tsx'
import { Panel } from '../../../components/panel.tsx'
import { StateBadge } from '../../../components/state-badge.tsx'
import { RangeFilter } from '../../../filters/range-filter.tsx'
import { timesOf } from '../../../filters/usage-filters.ts'
import { countOf, duration, wholeNumber } from '../../../format/number.ts'
import { exactTimeOf } from '../../../format/time.ts'
import { Differences } from './differences.tsx'

type Run = Schemas['LedgerVerification']

const route = getRouteApi('/operator')
const runningMs = 1_000

/**
 * Recomputes every balance, lease and charge. It runs in the background: the page can be left meanwhile.
 */
export function Verifications() {
  const { cursor, days, from, to } = route.useSearch()
  const navigate = route.useNavigate()
  const queryClient = useQueryClient()
  const parameters = { cursor, ...timesOf({ days, from, to }, Date.now()) }
  const query = useQuery({
    ...readQuery(['operator', 'verifications', parameters], '/api/v1/admin/ledger/verifications', {
      query: parameters,
    }),
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ state }) => state === 'running') === true ? runningMs : false,
  })
  const begin = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/v1/admin/ledger/verifications')),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['operator', 'verifications'] }),
  })
  const newest = cursor === undefined ? query.data?.data[0] : undefined
  return (
    <Stack gap="sm">
      <Panel
        title="Ledger verification"
        description="Recomputes every balance, lease and charge from its entries."
      >
        <Stack align="flex-start">
          <Button
            leftSection={<IconScale size={16} />}
            loading={begin.isPending || newest?.state === 'running'}
            onClick={() => begin.mutate()}
          >
            Verify ledger
          </Button>
          {begin.error !== null && <FailureNote error={begin.error} />}
          <Loaded query={query} skeleton={null}>
            {() => newest !== undefined && <Newest run={newest} />}
          </Loaded>
        </Stack>
      </Panel>
      <RangeFilter
        range={{ days, from, to }}
        isOptional
        onChange={(range) => void navigate({ search: { show: 'books', ...range }, replace: true })}
      />
      <Paged
        query={query}
        cursor={cursor}
        empty={<EmptyNote icon={IconScale} title="No verifications in this range" />}
        skeletonHeight={160}
      >
        {(runs) => (
          <DataTable
            label="Verifications"
            minWidth={520}
            verticalSpacing="xs"
            columns={columns}
            rows={runs}
            keyOf={({ id }) => id}
          />
        )}
      </Paged>
    </Stack>
  )
}

function Newest({ run }: { run: Run }) {
  const { state, ok, checked, differences, finished_at: end, started_at: start } = run
  if (state === 'running')
    return (
      <Text size="sm" c="dimmed" role="status">
        {countOf(checked, 'figure')} compared so far. You can leave this page.
      </Text>
    )
  return (
    <>
      {ok === true && (
        <Alert
          color="teal"
          variant="light"
          icon={<IconCircleCheck size={20} />}
          title="No differences"
          w="100%"
          role="status"
        >
          {countOf(checked, 'figure')} checked. {exactTimeOf(end ?? start)}
        </Alert>
      )}
      {differences.length > 0 && <Differences differences={differences} at={exactTimeOf(end ?? start)} />}
      {state !== 'finished' && (
        <Alert color="orange" variant="light" w="100%" title={incomplete[state].title} role="alert">
          {incomplete[state].words} {countOf(checked, 'figure')} had been compared.
        </Alert>
      )}
    </>
  )
}

const incomplete = {
  stopped: {
    title: 'Stopped',
    words:
      'It took longer than ten minutes (an hour for the daily one), or its node stopped. ' +
      '“turnpike-gateway ledger verify” has no time limit.',
  },
  failed: { title: 'Verification failed', words: 'See the log of the gateway for the reason.' },
}

function resultOf({ state, ok, differences }: Run): [string, string] {
  if (differences.length > 0) return [countOf(differences.length, 'difference'), 'red']
  if (state === 'running') return ['running', 'blue']
  return ok === true ? ['agrees', 'teal'] : [state, 'orange']
}

const columns: Column<Run>[] = [
  {
    head: 'Begun',
    place: 'name',
    cell: ({ started_at: at }) => <Text size="sm">{exactTimeOf(at)}</Text>,
  },
  {
    head: 'Result',
    cell: (run) => {
      const [words, color] = resultOf(run)
      return <StateBadge color={color}>{words}</StateBadge>
    },
  },
  { head: 'Figures', align: 'right', cell: ({ checked }) => wholeNumber(checked) },
  {
    head: 'Took',
    align: 'right',
    cell: ({ started_at: start, finished_at: end }) =>
      end === null ? '–' : end === start ? 'under a second' : duration((end - start) * 1000),
  },
]
