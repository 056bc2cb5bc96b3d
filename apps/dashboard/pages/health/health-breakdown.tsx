import { Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import { useFound } from '../../filters/use-found.ts'
import { DimensionChoice } from '../usage/dimension-choice.tsx'
import { tagKeysOf } from '../usage/tag-keys.ts'
import { TagRule } from '../usage/tag-rule.tsx'
import { healthQueries, mostRows } from './health-queries.ts'
import {
  defaultBy,
  healthDimensions,
  isAnswerable,
  type HealthDimension,
  type HealthView,
} from './health-search.ts'
import { HealthTable } from './health-table.tsx'

interface HealthBreakdownProps {
  view: HealthView
  onChange: (by: HealthDimension) => void
}

/** Which groups have failing or slow requests. */
export default function HealthBreakdown({ view, onChange }: HealthBreakdownProps) {
  const { by = defaultBy } = view
  const query = useQuery(healthQueries(view).groups)
  const [isOpened, setOpened] = useState(false)
  const found = useFound('tag', view, isOpened)
  const keys = tagKeysOf(found ?? [], [by])
  const isOfTags = by === 'tag' || by.startsWith('tag:')
  return (
    <Panel p={0}>
      <Group p={{ base: 'md', sm: 'lg' }} pb="sm" gap="sm">
        <DimensionChoice
          label="Group by"
          value={by}
          dimensions={healthDimensions.filter((one) => isAnswerable(one, view))}
          keys={view.key === undefined ? keys : []}
          onOpen={() => setOpened(true)}
          onChange={(chosen) => chosen !== undefined && onChange(chosen as HealthDimension)}
        />
      </Group>
      {isOfTags && <TagRule />}
      {by !== 'day' && by !== 'hour' && (
        <Text size="sm" c="dimmed" px={{ base: 'md', sm: 'lg' }} pb="sm">
          The smaller figure is for the same number of days before. p50 is the median; 95 % of requests took
          no longer than p95.
        </Text>
      )}
      <Loaded query={query} skeleton={<Skeleton height={260} />}>
        {(health) =>
          health.data.length === 0 ? (
            <Text size="sm" c="dimmed" px={{ base: 'md', sm: 'lg' }} pb="lg">
              No data for this breakdown.
            </Text>
          ) : (
            <>
              <HealthTable health={health} by={by} />
              {health.has_more && (
                <Text size="sm" c="dimmed" p="md">
                  The {mostRows} with the most requests. The totals include all others.
                </Text>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}
