import { Button, Code, Group, Skeleton, Stack, Table, Text } from '@mantine/core'
import { IconRefresh } from '../../icons/icons.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, bodyOf } from '../../api/client.ts'
import type { paths } from '../../api/schema.ts'
import { Facts } from '../../components/facts.tsx'
import { FailureNote } from '../../components/failure-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { perMillion } from '../../format/money.ts'
import { wholeNumber } from '../../format/number.ts'
import { timeOf } from '../../format/time.ts'

type Report = paths['/api/v1/admin/prices']['get']['responses'][200]['content']['application/json']

const pricesQuery = queryOptions({
  queryKey: ['operator', 'prices'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/admin/prices', { signal })),
})

/** Which prices hold, and what the last refresh changed of them. */
export function Prices() {
  const queryClient = useQueryClient()
  const query = useQuery(pricesQuery)
  const refresh = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/v1/admin/prices/refresh')),
    onSuccess: (report) => queryClient.setQueryData(pricesQuery.queryKey, report),
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
          ['Taken over', timeOf(report.updated_at)],
          ['Models', `${wholeNumber(report.models)}, ${wholeNumber(report.changed_models)} of them changed`],
          ['Without a price', report.unpriced.length === 0 ? 'none' : <Names names={report.unpriced} />],
          ['Problems', report.problems.length === 0 ? 'none' : <Names names={report.problems} />],
        ]}
      />
      {report.changes.length > 0 && <Changes changes={report.changes} />}
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

function Changes({ changes }: { changes: Report['changes'] }) {
  const shown = (price: string | null) => (price === null ? 'none' : perMillion(price))
  return (
    <>
      <Text fw={600} size="sm">
        Changed by more than a fifth (USD per million tokens)
      </Text>
      <ScrollTable label="Changed prices" minWidth={520} verticalSpacing="xs" isStacked>
        <Table.Tbody>
          {changes.map(({ model, price, before, after }) => (
            <Table.Tr key={`${model} ${price}`}>
              <Table.Td data-place="name">{model}</Table.Td>
              <Table.Td data-place="figure">{price}</Table.Td>
              <Table.Td ta="right">
                {shown(before)} → {shown(after)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
    </>
  )
}
