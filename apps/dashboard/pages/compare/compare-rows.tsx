import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { perMillion } from '../../format/money.ts'
import { wholeNumber } from '../../format/number.ts'
import { dateOf } from '../../format/time.ts'
import { capabilities, isAuto } from '../../models/capabilities.ts'
import { capabilityNames, type CapabilityName } from '../../models/capability-names.ts'
import { limitWords } from '../../models/limits.ts'
import { ProviderState, Times, Unknown, Uptime } from '../../models/measured.tsx'
import { priceTable, tokenUnit, type PriceName } from '../../models/price-rows.ts'

type Model = Schemas['Model']
type Providers = Schemas['ModelProviders']

export interface Compared {
  model: Model
  /** Undefined while it loads, or if it could not be loaded. */
  providers: Providers | undefined
}

export interface CompareRow {
  label: string
  cells: ReactNode[]
}

export interface CompareGroup {
  title: string
  rows: CompareRow[]
}

/** The rows of the comparison. Rows in which no model has a value are left out. */
export function compareGroups(all: readonly Compared[]): CompareGroup[] {
  const row = (label: string, cellOf: (one: Compared) => ReactNode): CompareRow => ({
    label,
    cells: all.map((one) => cellOf(one) ?? <Unknown />),
  })
  const isAnywhere = (isOf: (model: Model) => boolean): boolean => all.some(({ model }) => isOf(model))
  const used = capabilityNames.filter((name) => isAnywhere(capabilities[name].isOf))
  return [
    { title: 'Prices', rows: priceRows(all) },
    {
      title: 'Limits',
      rows: [
        row('Context', ({ model }) => wholeNumber(model.context_length)),
        row('Max output', ({ model }) => wholeNumber(model.max_output_tokens)),
        row('Requests', ({ model }) => limitWords(model.limits) ?? 'no limit'),
      ],
    },
    {
      title: 'Can',
      rows: used.map((name) => row(capabilities[name].label, ({ model }) => isAble(model, name))),
    },
    { title: 'Parameters', rows: parameterRows(all) },
    {
      title: 'Measured at the first provider',
      rows: [
        row('Provider', ({ providers }) => providers?.providers[0]?.provider),
        row('Now', ({ providers }) => first(providers, ({ state }) => <ProviderState state={state} />)),
        row('Uptime', ({ providers }) => first(providers, ({ measured }) => <Uptime measured={measured} />)),
        row('First token', ({ providers }) =>
          first(providers, ({ measured }) => <Times times={measured?.time_to_first_token_ms} />),
        ),
        row('Full answer', ({ providers }) =>
          first(providers, ({ measured }) => <Times times={measured?.latency_ms} />),
        ),
        row('Tokens per second', ({ providers }) =>
          first(providers, ({ measured }) => measured?.tokens_per_second ?? undefined),
        ),
        row('Released', ({ model }) => (isAuto(model) ? undefined : dateOf(model.created))),
      ],
    },
  ]
}

function first(
  providers: Providers | undefined,
  cellOf: (provider: Schemas['ModelProvider']) => ReactNode,
): ReactNode {
  const [one] = providers?.providers ?? []
  return one === undefined ? undefined : cellOf(one)
}

/** For auto-routing, the capabilities depend on the model it chooses. */
function isAble(model: Model, name: CapabilityName): ReactNode {
  if (capabilities[name].isOf(model)) return 'yes'
  return isAuto(model) && (name === 'cache' || name === 'search') ? 'depends' : <No />
}

/** The usual prices; a model's own page also has those for long prompts and tiers. */
function priceRows(all: readonly Compared[]): CompareRow[] {
  const tables = all.map(({ model }) => (isAuto(model) ? undefined : priceTable(model).rows))
  const labels = new Map<PriceName, string>([
    ['prompt', 'Input'],
    ['completion', 'Output'],
  ])
  for (const rows of tables)
    for (const { name, label, unit } of rows ?? [])
      if (!labels.has(name)) labels.set(name, unit === tokenUnit ? label : `${label}, ${unit}`)
  return [...labels].map(([name, label]) => ({
    label,
    cells: all.map(({ model }, index) => {
      if (isAuto(model) && (name === 'prompt' || name === 'completion'))
        return `depends, at most ${perMillion(model.pricing[name])}`
      const found = tables[index]?.find((one) => one.name === name)
      return found?.prices[0]?.text ?? <Unknown />
    }),
  }))
}

/** Only parameters that some models support and others do not; the common ones say nothing. */
function parameterRows(all: readonly Compared[]): CompareRow[] {
  const names = new Set(all.flatMap(({ model }) => model.supported_parameters))
  return [...names].toSorted().flatMap((name) => {
    const takes = all.map(({ model }) => model.supported_parameters.includes(name))
    if (takes.every(Boolean)) return []
    return [{ label: name, cells: takes.map((one) => (one ? 'yes' : <No />)) }]
  })
}

function No() {
  return (
    <Text size="sm" c="dimmed" component="span">
      no
    </Text>
  )
}
