import { Chip, Group, Select, Stack } from '@mantine/core'
import { SearchField } from '../../components/forms/search-field.tsx'
import { FoldedFilters } from '../../filters/folded-filters.tsx'
import { shortNumber } from '../../format/number.ts'
import { capabilities } from '../../models/capabilities.ts'
import { capabilityNames } from '../../models/capability-names.ts'
import classes from './model-filters.module.css'
import { conditionsIn, leastContexts } from './model-choices.ts'
import { modelOrders, mostPrices, type ModelView } from './model-search.ts'

const orderNames = {
  name: 'By name',
  input: 'Cheapest input',
  output: 'Cheapest output',
  context: 'Longest context',
  newest: 'Newest',
}
const bestFit = 'fit'

interface ModelFiltersProps {
  view: ModelView
  providers: string[]
  /** Gets only what changed. */
  onChange: (changed: ModelView) => void
}

/** Which models are shown, and in which order. */
export function ModelFilters({ view, providers, onChange }: ModelFiltersProps) {
  const isSearch = view.q !== undefined
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <SearchField
          label="Search models"
          placeholder="Search: gpt4o, sonnet 4.5"
          flex="3 1 220px"
          maw="none"
          typingMs={150}
          value={view.q}
          onSearch={(q) => onChange({ q })}
        />
        <Choice
          label="Provider"
          value={view.provider}
          offers={providers.toSorted().map((value) => ({ value, label: value }))}
          onChange={(provider) => onChange({ provider })}
        />
        <Select
          aria-label="Order"
          flex="1 1 130px"
          allowDeselect={false}
          data={[
            ...(isSearch ? [{ value: bestFit, label: 'Best match' }] : []),
            ...modelOrders.map((value) => ({ value, label: orderNames[value] })),
          ]}
          value={view.order ?? (isSearch ? bestFit : 'name')}
          onChange={(order) => onChange({ order: modelOrders.find((one) => one === order) })}
        />
      </Group>
      <Conditions view={view} onChange={onChange} />
    </Stack>
  )
}

function Conditions({ view, onChange }: Omit<ModelFiltersProps, 'providers'>) {
  const { can = [], context, price } = view
  const clear = () => onChange({ provider: undefined, can: undefined, context: undefined, price: undefined })
  return (
    <FoldedFilters count={conditionsIn(view)} onClear={clear}>
      <Chip.Group multiple value={can} onChange={(names) => onChange({ can: names })}>
        <Group gap={6} role="group" aria-label="Capabilities" flex="1 1 480px">
          {capabilityNames.map((name) => (
            <Chip key={name} value={name} size="xs" variant="outline">
              {capabilities[name].label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Group gap="sm" className={classes.bounds}>
        <Choice
          label="Context"
          value={context === undefined ? undefined : String(context)}
          offers={contextOffers(context)}
          onChange={(value) => onChange({ context: value === undefined ? undefined : Number(value) })}
        />
        <Choice
          label="Input price"
          value={price}
          offers={mostPrices.map((value) => ({ value, label: `up to $${value}` }))}
          onChange={(value) => onChange({ price: value as ModelView['price'] })}
        />
      </Group>
    </FoldedFilters>
  )
}

/** Includes the bound of a shared address, whatever it is. */
function contextOffers(context: number | undefined) {
  const all = new Set([...leastContexts, ...(context === undefined ? [] : [context])])
  return [...all]
    .toSorted((left, right) => left - right)
    .map((value) => ({ value: String(value), label: `${shortNumber(value)} or more` }))
}

interface ChoiceProps {
  label: string
  value: string | undefined
  offers: { value: string; label: string }[]
  onChange: (value: string | undefined) => void
}

function Choice({ label, value, offers, onChange }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      clearable
      searchable
      flex="1 1 130px"
      data={offers}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  )
}
