import { Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { readQuery } from '../../api/read-query.ts'
import { daysOf, placesOf } from '../../charts/places.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import { RangeFilter } from '../../filters/range-filter.tsx'
import { queryOf, type Range } from '../../filters/usage-filters.ts'
import { IconActivity } from '../../icons/icons.ts'
import { Causes } from '../health/causes.tsx'
import { ErrorsOverTime } from '../health/errors-over-time.tsx'
import { HealthFigures } from '../health/health-figures.tsx'
import { mostRows, type Health } from '../health/health-queries.ts'
import { defaultBy, type ErrorMeasure, type TimeMeasure } from '../health/health-search.ts'
import { HealthTable } from '../health/health-table.tsx'
import { TimesOverTime } from '../health/times-over-time.tsx'
import { daysOf as daysOfRange, rangeWords } from './operator-days.ts'

const route = getRouteApi('/operator')
/**
 * Sums over all accounts read the rows of each: for five hundred accounts, a week takes 0.2 s, a month one
 * second.
 */
const defaultRange: Range = { days: 7 }

const healthQuery = (range: Range, by: 'day' | 'model' | 'provider') => {
  const { tag: _none, ...within } = queryOf(range)
  const query = { ...within, by, limit: by === 'day' ? 400 : mostRows }
  return readQuery(['operator', 'health', query], '/api/v1/admin/usage/health', { query })
}

/** The health of all accounts' requests: figures, days, causes, and by model or provider. */
export function OperatorHealth() {
  const { days, from, to } = route.useSearch()
  const navigate = route.useNavigate()
  const isGiven = days !== undefined || from !== undefined
  const range = isGiven ? { days, from, to } : defaultRange
  const query = useQuery(healthQuery(range, 'day'))
  return (
    <Stack gap="lg">
      <RangeFilter
        range={range}
        onChange={(chosen) => void navigate({ search: { show: 'health', ...chosen }, replace: true })}
      />
      <Loaded query={query} skeleton={<HealthFigures health={undefined} />}>
        {(health) =>
          health.total.requests === 0 && health.previous.requests === 0 ? (
            <Panel>
              <EmptyNote icon={IconActivity} title={`No account had requests ${rangeWords(range)}`} />
            </Panel>
          ) : (
            <Shown health={health} range={range} />
          )
        }
      </Loaded>
    </Stack>
  )
}

function Shown({ health, range }: { health: Health; range: Range }) {
  const [errors, setErrors] = useState<ErrorMeasure>('rate')
  const [measure, setMeasure] = useState<TimeMeasure>('first')
  const days = daysOfRange(range).join(' ')
  const [bars, points] = useMemo(() => {
    const all = days.split(' ')
    return [all.length === 1 ? daysOf(all) : placesOf(all), daysOf(all)] as const
  }, [days])
  return (
    <>
      <HealthFigures health={health} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <ErrorsOverTime health={health} places={bars} measure={errors} onMeasure={setErrors} />
        <TimesOverTime health={health} places={points} measure={measure} onMeasure={setMeasure} />
      </SimpleGrid>
      <Causes health={health} />
      <Breakdown range={range} />
    </>
  )
}

function Breakdown({ range }: { range: Range }) {
  const [by, setBy] = useState<'model' | 'provider'>(defaultBy)
  const query = useQuery(healthQuery(range, by))
  return (
    <Panel p={0}>
      <Group p={{ base: 'md', sm: 'lg' }} pb="sm" gap="sm">
        <SegmentedControl
          size="xs"
          aria-label="Group by"
          value={by}
          data={[
            { value: 'model', label: 'By model' },
            { value: 'provider', label: 'By provider' },
          ]}
          onChange={setBy}
        />
        <Text size="sm" c="dimmed">
          The smaller figure is for the same number of days before.
        </Text>
      </Group>
      <Loaded query={query} skeleton={<Skeleton height={260} />}>
        {(health) => (
          <>
            <HealthTable health={health} by={by} isOfAll />
            {health.has_more && (
              <Text size="sm" c="dimmed" p="md">
                The {mostRows} with the most requests. The totals include all others.
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}
