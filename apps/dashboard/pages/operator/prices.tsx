import { Button, Code, Group, Skeleton, Stack } from '@mantine/core'
import { IconRefresh } from '../../icons/icons.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, bodyOf } from '../../api/client.ts'
import { readQuery, type BodyOf } from '../../api/read-query.ts'
import { Facts } from '../../components/facts.tsx'
import { FailureNote } from '../../components/failure-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import { wholeNumber } from '../../format/number.ts'
import { timeOf } from '../../format/time.ts'
import { PriceChanges } from './price-changes.tsx'

type Report = BodyOf<'/api/v1/admin/prices'>

const pricesQuery = readQuery(['operator', 'prices'], '/api/v1/admin/prices')

/** The current prices and their history. */
export function Prices() {
  return (
    <Stack gap="lg">
      <PricesInForce />
      <PriceChanges />
    </Stack>
  )
}

function PricesInForce() {
  const queryClient = useQueryClient()
  const query = useQuery(pricesQuery)
  const refresh = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/v1/admin/prices/refresh')),
    onSuccess: async (report) => {
      queryClient.setQueryData(pricesQuery.queryKey, report)
      await queryClient.invalidateQueries({ queryKey: ['operator', 'price changes'] })
    },
  })
  return (
    <Panel
      title="Prices in force"
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRefresh size={14} />}
          loading={refresh.isPending}
          onClick={() => refresh.mutate()}
        >
          Refresh
        </Button>
      }
    >
      <Stack>
        {refresh.error !== null && <FailureNote error={refresh.error} />}
        <Loaded query={query} skeleton={<Skeleton height={260} />}>
          {(report) => <PriceReport report={report} />}
        </Loaded>
      </Stack>
    </Panel>
  )
}

function PriceReport({ report }: { report: Report }) {
  return (
    <Stack>
      <Facts
        facts={[
          ['Version', <Code key="version">{report.version}</Code>],
          ['Source', report.source],
          ['Applied', timeOf(report.updated_at)],
          ['Models', `${wholeNumber(report.models)}, ${wholeNumber(report.changed_models)} of them changed`],
          ['Without a price', report.unpriced.length === 0 ? 'none' : <Names names={report.unpriced} />],
          ['Problems', report.problems.length === 0 ? 'none' : <Names names={report.problems} />],
        ]}
      />
    </Stack>
  )
}

function Names({ names }: { names: string[] }) {
  return (
    <Group gap={6}>
      {names.map((name) => (
        <Code key={name}>{name}</Code>
      ))}
    </Group>
  )
}
