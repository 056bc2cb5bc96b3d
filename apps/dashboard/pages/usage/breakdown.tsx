import { Group, Select, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import classes from './breakdown.module.css'
import { BreakdownTable } from './breakdown-table.tsx'
import { CrossTable } from './cross-table.tsx'
import { useFound } from '../../filters/use-found.ts'
import { dimensionName } from './group-names.ts'
import { TagRule } from './tag-rule.tsx'
import { tagKeysOf } from './tag-keys.ts'
import { defaultBy, dimensions, measureOf, overlaps, tagKeyOf, type UsageDimension } from './usage-search.ts'
import { viewQueries } from './view-queries.ts'

const route = getRouteApi('/usage')

/** The same figures by any dimension, or by two crossed. */
export function Breakdown() {
  const view = route.useSearch()
  const { by = defaultBy, against } = view
  const query = useQuery(viewQueries(view).groups)
  const summary = useQuery(viewQueries(view).summary)
  return (
    <Panel p={0}>
      <Group p={{ base: 'md', sm: 'lg' }} pb="sm" gap="sm">
        <Choices by={by} against={against} />
      </Group>
      {(overlaps(by) || (against !== undefined && overlaps(against))) && <TagRule />}
      {[by, against].some((one) => one !== undefined && tagKeyOf(one) !== undefined) && <KeyRule />}
      <Loaded query={query} skeleton={<Skeleton height={260} />}>
        {({ data, others }) => (
          <>
            {data.length === 0 && (
              <Text size="sm" c="dimmed" px={{ base: 'md', sm: 'lg' }} pb="lg">
                There is nothing to break down.
              </Text>
            )}
            {data.length > 0 && against === undefined && (
              <BreakdownTable groups={data} others={others} by={by} total={summary.data} />
            )}
            {data.length > 0 && against !== undefined && (
              <CrossTable groups={data} others={others} by={by} against={against} measure={measureOf(view)} />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

interface ChoicesProps {
  by: UsageDimension
  against: UsageDimension | undefined
}

function Choices({ by, against }: ChoicesProps) {
  const view = route.useSearch()
  const [isWanted, setWanted] = useState(false)
  const found = useFound('tag', view, isWanted)
  const keys = tagKeysOf(found ?? [], [by, against])
  const navigate = route.useNavigate()
  const change = (changed: { by?: UsageDimension; against?: UsageDimension | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
  return (
    <>
      <DimensionChoice
        label="Broken down by"
        value={by}
        keys={keys}
        onOpen={() => setWanted(true)}
        onChange={(value) =>
          value !== undefined && change({ by: value, ...(value === against && { against: undefined }) })
        }
      />
      <DimensionChoice
        label="Crossed with"
        value={against}
        keys={keys}
        without={by}
        onOpen={() => setWanted(true)}
        onChange={(value) => change({ against: value })}
      />
    </>
  )
}

interface DimensionChoiceProps {
  label: string
  value: UsageDimension | undefined
  /** Of tags such as `team:search`. */
  keys: string[]
  /** Not offered. Absent: something is always chosen. */
  without?: UsageDimension
  onOpen: () => void
  onChange: (value: UsageDimension | undefined) => void
}

function DimensionChoice({ label, value, keys, without, onOpen, onChange }: DimensionChoiceProps) {
  const offered = (all: readonly UsageDimension[]) =>
    all.filter((one) => one !== without).map((one) => ({ value: one, label: dimensionName(one) }))
  const own = offered(keys.map((key): UsageDimension => `tag:${key}`))
  const mayBeNone = without !== undefined
  return (
    <Select
      label={label}
      placeholder="nothing"
      className={classes.choice}
      allowDeselect={mayBeNone}
      maxDropdownHeight={440}
      clearable={mayBeNone}
      data={[
        { group: 'Of every request', items: offered(dimensions) },
        ...(own.length === 0 ? [] : [{ group: 'Keys of your tags', items: own }]),
      ]}
      value={value ?? null}
      onDropdownOpen={onOpen}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  )
}

/** Why a tag that was given twice is seen once. */
function KeyRule() {
  return (
    <Text size="sm" c="dimmed" px={{ base: 'md', sm: 'lg' }} pb="sm">
      By the values of tags as in team:search. They do not overlap: of two values on one request, the first in
      the alphabet counts.
    </Text>
  )
}
