import { Chip, Group, Select, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { IconSearch } from '../../icons/icons.ts'
import { FoldedFilters } from '../../filters/folded-filters.tsx'
import { shortNumber } from '../../format/number.ts'
import { capabilities } from '../../models/capabilities.ts'
import { capabilityNames } from '../../models/capability-names.ts'
import classes from './model-filters.module.css'
import { conditionsIn, leastContexts } from './model-choices.ts'
import { modelOrders, mostPrices, type ModelView } from './model-search.ts'

const typingMs = 150

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
  const [typed, setTyped] = useState(view.q ?? '')
  const sent = useRef(view.q)
  const search = useDebouncedCallback((text: string) => {
    const q = text.trim() === '' ? undefined : text.trim()
    sent.current = q
    onChange({ q })
  }, typingMs)
  // The address changed otherwise than by typing, for example by going back.
  useEffect(() => {
    if (view.q === sent.current) return
    sent.current = view.q
    setTyped(view.q ?? '')
  }, [view.q])
  const isSearch = typed.trim() !== ''
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <TextInput
          aria-label="Search models"
          placeholder="Search: gpt4o, sonnet 4.5"
          leftSection={<IconSearch size={16} aria-hidden />}
          flex="3 1 220px"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            search(event.currentTarget.value)
          }}
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
