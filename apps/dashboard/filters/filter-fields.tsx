import { Button, Group, Select, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { breakdownQuery, nameOf, type Dimension } from '../api/usage-queries.ts'
import { keysQuery } from '../api/queries.ts'
import classes from './filter-fields.module.css'
import { countOf, queryOf, type UsageFilters } from './usage-filters.ts'

interface FilterFieldsProps {
  filters: UsageFilters
  onChange: (filters: UsageFilters) => void
}

/** What is offered is what there was in the range. */
export function FilterFields({ filters, onChange }: FilterFieldsProps) {
  const { data: keys } = useQuery(keysQuery)
  const { days, from, to } = filters
  const range = queryOf({ days, from, to })
  const tags = useOffered('tag', range)
  const models = useOffered('model', range)
  const providers = useOffered('provider', range)
  const tiers = useOffered('tier', range)
  const select = (label: string, name: 'key' | 'model' | 'provider' | 'tier', data: Offer[]) => (
    <Select
      aria-label={label}
      placeholder={label}
      clearable
      searchable
      className={classes.field}
      data={withChosen(data, filters[name])}
      value={filters[name] ?? null}
      onChange={(value) => onChange({ ...filters, [name]: value ?? undefined })}
    />
  )
  return (
    <Group gap="sm" align="flex-start">
      <TagsInput
        aria-label="Tags"
        placeholder={filters.tag === undefined ? 'Tags' : ''}
        className={classes.tags}
        clearable
        maxTags={20}
        data={tags}
        value={filters.tag ?? []}
        onChange={(tag) => onChange({ ...filters, tag: tag.length === 0 ? undefined : tag })}
      />
      {select('Key', 'key', keys?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [])}
      {select('Model', 'model', models.map(offer))}
      {select('Provider', 'provider', providers.map(offer))}
      {select('Tier', 'tier', tiers.map(offer))}
      {countOf(filters) > 0 && (
        <Button variant="subtle" color="gray" onClick={() => onChange({ days, from, to })}>
          Clear
        </Button>
      )}
    </Group>
  )
}

interface Offer {
  value: string
  label: string
}

const offer = (value: string): Offer => ({ value, label: value })

/** A filter of a shared address holds, though nothing of it was in the range. */
function withChosen(data: Offer[], chosen: string | undefined): Offer[] {
  if (chosen === undefined || data.some(({ value }) => value === chosen)) return data
  return [...data, offer(chosen)]
}

function useOffered(by: Dimension, range: ReturnType<typeof queryOf>): string[] {
  const { data } = useQuery({ ...breakdownQuery({ ...range, by: [by] }), refetchInterval: false })
  return data?.data.flatMap((group) => nameOf(group) ?? []) ?? []
}
