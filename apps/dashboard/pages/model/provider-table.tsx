import { Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { endpointNames } from '../../filters/endpoints.ts'
import { perMillion } from '../../format/money.ts'
import { counted, wholeNumber } from '../../format/number.ts'
import { ProviderState, Times, Unknown, Uptime } from '../../models/measured.tsx'

type Provider = Schemas['ModelProvider']

/** Who serves it, in the order in which they are asked. */
export function ProviderTable({ providers }: { providers: Schemas['ModelProviders'] }) {
  return (
    <DataTable
      label="Providers"
      minWidth={860}
      isStacked
      columns={columns}
      rows={providers.providers}
      keyOf={(row) => `${providers.providers.indexOf(row)}`}
    />
  )
}

const columns: Column<Provider>[] = [
  { head: 'Provider', place: 'name', cell: (row) => <Name row={row} /> },
  { head: 'Now', cell: ({ state }) => <ProviderState state={state} /> },
  { head: 'Uptime', cell: ({ measured }) => <Uptime measured={measured} /> },
  {
    head: 'First token',
    align: 'right',
    cell: ({ measured }) => <Times times={measured?.time_to_first_token_ms} />,
  },
  { head: 'Whole answer', align: 'right', cell: ({ measured }) => <Times times={measured?.latency_ms} /> },
  {
    head: 'Tokens a second',
    align: 'right',
    cell: ({ measured }) =>
      measured === null || measured.tokens_per_second === null ? (
        <Unknown />
      ) : (
        wholeNumber(measured.tokens_per_second)
      ),
  },
  { head: 'Input', align: 'right', cell: ({ pricing }) => perMillion(pricing.prompt) },
  { head: 'Output', align: 'right', cell: ({ pricing }) => perMillion(pricing.completion) },
]

function Name({ row: { provider, native_endpoints: native, measured } }: { row: Provider }) {
  return (
    <>
      <Text size="sm" fw={500}>
        {provider}
      </Text>
      {native.length > 0 && (
        <Text size="xs" c="dimmed">
          speaks {native.map((one) => endpointNames[one]).join(', ')}
        </Text>
      )}
      {measured?.scope === 'account' && measured.requests !== null && (
        <Text size="xs" c="dimmed">
          by {counted(measured.requests, 'request')} of yours
        </Text>
      )}
    </>
  )
}
