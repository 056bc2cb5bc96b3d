import { Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { TablePanel } from '../../components/tables/table-panel.tsx'
import { endpointNames } from '../../filters/endpoints.ts'
import { countOf, wholeNumber } from '../../format/number.ts'
import { isAnswering } from '../../models/capabilities.ts'
import { ModelPrice } from '../../models/prices.tsx'
import { ProviderState, Times, Unknown, Uptime, UptimeByDay } from '../../models/measured.tsx'

type Provider = Schemas['ModelProvider']

interface ProviderTableProps {
  model: Schemas['Model']
  found: Schemas['ModelProviders']
  isSignedIn: boolean
}

/** The providers of a model, in the order in which the gateway tries them. */
export function ProviderTable({ model, found, isSignedIn }: ProviderTableProps) {
  const { providers, measured_days: days } = found
  return (
    <TablePanel
      title="Providers"
      description={
        "In the order in which they are tried. Requests in a provider's native API format are passed " +
        `through unchanged. ${measurementNote(providers, days, isSignedIn)}`
      }
    >
      <DataTable
        label="Providers"
        minWidth={860}
        columns={[...columns, ...priceColumns(model)]}
        rows={providers}
        keyOf={(row) => `${providers.indexOf(row)}`}
      />
    </TablePanel>
  )
}

function measurementNote(providers: readonly Provider[], days: number, isSignedIn: boolean): string {
  if (providers.some(({ measured }) => measured !== null)) return `Measured over ${days} days.`
  const own = isSignedIn ? ', or after you have used it' : ''
  return `Performance is shown once several accounts have used it often enough within ${days} days${own}.`
}

const columns: Column<Provider>[] = [
  { head: 'Provider', place: 'name', cell: (row) => <Name row={row} /> },
  { head: 'Now', cell: ({ state }) => <ProviderState state={state} /> },
  {
    head: 'Uptime',
    cell: ({ measured }) => (
      <>
        <Uptime measured={measured} />
        <UptimeByDay measured={measured} />
      </>
    ),
  },
  {
    head: 'First token',
    align: 'right',
    cell: ({ measured }) => <Times times={measured?.time_to_first_token_ms} />,
  },
  { head: 'Full answer', align: 'right', cell: ({ measured }) => <Times times={measured?.latency_ms} /> },
  {
    head: 'Tokens per second',
    align: 'right',
    cell: ({ measured }) =>
      measured === null || measured.tokens_per_second === null ? (
        <Unknown />
      ) : (
        wholeNumber(measured.tokens_per_second)
      ),
  },
]

function priceColumns(model: Schemas['Model']): Column<Provider>[] {
  const price = (name: 'prompt' | 'completion', head: string): Column<Provider> => ({
    head,
    align: 'right',
    cell: ({ pricing }) => <ModelPrice model={{ ...model, pricing }} name={name} />,
  })
  return isAnswering(model)
    ? [price('prompt', 'Input'), price('completion', 'Output')]
    : [price('prompt', 'Price')]
}

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
          by {countOf(measured.requests, 'request')} of yours
        </Text>
      )}
    </>
  )
}
