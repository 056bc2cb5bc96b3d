import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useMemo } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { DayChartSkeleton } from '../../charts/day-chart.tsx'
import { daysOf, hoursOfDays, placesOf } from '../../charts/places.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { FailureNote } from '../../components/failure-note.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageButton } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { FilterFields } from '../../filters/filter-fields.tsx'
import { RangeFilter } from '../../filters/range-filter.tsx'
import type { UsageFilters } from '../../filters/usage-filters.ts'
import { countOf } from '../../format/number.ts'
import { timeOf } from '../../format/time.ts'
import { IconActivity } from '../../icons/icons.ts'
import { Causes } from './causes.tsx'
import { isBeforeCounted } from './change.ts'
import { ErrorsOverTime } from './errors-over-time.tsx'
import { HealthFigures } from './health-figures.tsx'
import { healthQueries, type Health } from './health-queries.ts'
import {
  daysOfView,
  defaultBy,
  healthFilters,
  isAnswerable,
  unitOf,
  type HealthFilters,
  type HealthView,
} from './health-search.ts'
import { chartHeight } from './series-panel.tsx'
import { TimesOverTime } from './times-over-time.tsx'
import { UnitChoice } from './unit-choice.tsx'

/** At the bottom of the page, so its code is loaded after the rest. */
const HealthBreakdown = lazyPart(() => import('./health-breakdown.tsx'))

const route = getRouteApi('/health')

/** How requests went: what failed and why, how long responses took, and what caches saved. */
export function HealthPage() {
  const view = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(healthQueries(view).series)
  const filter = (changed: UsageFilters) =>
    void navigate({ search: (before) => applyFilters(before, changed), replace: true })
  const { data: health, error } = query
  return (
    <>
      <PageHeader title="Health" description={describe(view, health)} />
      <Stack gap="lg">
        <Stack gap="sm">
          <RangeFilter range={view} onChange={(range) => filter({ ...withoutRange(view), ...range })} />
          <FilterFields filters={healthFilters(view)} onChange={filter} isOfHealth />
        </Stack>
        {health === undefined && error !== null ? (
          <FailureNote error={error} onRetry={() => void query.refetch()} />
        ) : health?.total.requests === 0 && health.previous.requests === 0 ? (
          <Nothing />
        ) : (
          <Shown health={health} view={view} />
        )}
      </Stack>
    </>
  )
}

function describe(view: HealthView, health: Health | undefined): string {
  const days = daysOfView(view)
  const before = days.length === 1 ? 'day' : countOf(days.length, 'day')
  const beside = `Compared with the ${before} before. Days are in UTC.`
  if (health === undefined) return beside
  const since = `Counted since ${timeOf(health.counted_since)}`
  return isBeforeCounted(days, health.counted_since)
    ? `${beside} ${since}.`
    : `${beside} ${since}; earlier requests are not included.`
}

function withoutRange(view: HealthFilters): UsageFilters {
  const { days: _days, from: _from, to: _to, ...conditions } = healthFilters(view)
  return conditions
}

/** Requests are counted by key or by tag, not by both: the filter that was chosen last stays. */
function applyFilters(before: HealthView, changed: UsageFilters): HealthView {
  const { unit, errors, measure, by = defaultBy } = before
  const isTagNew = changed.tag !== undefined && before.tag === undefined
  const filters = healthFilters(isTagNew ? { ...changed, key: undefined } : changed)
  return { ...filters, unit, errors, measure, by: isAnswerable(by, filters) ? by : undefined }
}

function Shown({ health, view }: { health: Health | undefined; view: HealthView }) {
  const navigate = route.useNavigate()
  const [bars, points] = usePlaces(view)
  const change = (changed: HealthView) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
  if (health === undefined) return <HealthSkeleton />
  return (
    <>
      <HealthFigures health={health} />
      <UnitChoice view={view} onChange={(unit) => change({ unit })} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <ErrorsOverTime
          health={health}
          places={bars}
          measure={view.errors ?? 'rate'}
          onMeasure={(errors) => change({ errors })}
        />
        <TimesOverTime
          health={health}
          places={points}
          measure={view.measure ?? 'first'}
          onMeasure={(measure) => change({ measure })}
        />
      </SimpleGrid>
      <Causes health={health} view={view} />
      <Suspense fallback={<Skeleton height={420} radius="lg" />}>
        <HealthBreakdown view={view} onChange={(by) => change({ by })} />
      </Suspense>
    </>
  )
}

/** The places of bars and of points. Counts of many days can be added up to weeks, times cannot. */
function usePlaces(view: HealthView) {
  const unit = unitOf(view)
  const days = daysOfView(view).join(' ')
  return useMemo(() => {
    const all = days.split(' ')
    const hours = unit === 'hour' ? hoursOfDays(all) : undefined
    return [hours ?? (all.length === 1 ? daysOf(all) : placesOf(all)), hours ?? daysOf(all)] as const
  }, [unit, days])
}

function Nothing() {
  return (
    <Panel>
      <EmptyNote icon={IconActivity} title="No requests in this range or the one before">
        <Text size="sm" mb="sm">
          Choose a longer range or remove a filter. If you have not sent any requests yet, start on the home
          page.
        </Text>
        <PageButton to="/" variant="default" size="xs">
          Home
        </PageButton>
      </EmptyNote>
    </Panel>
  )
}

function HealthSkeleton() {
  return (
    <Stack gap="lg" aria-busy="true">
      <HealthFigures health={undefined} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <DayChartSkeleton height={chartHeight + 96} />
        <DayChartSkeleton height={chartHeight + 96} />
      </SimpleGrid>
      <Skeleton height={300} radius="lg" />
    </Stack>
  )
}
