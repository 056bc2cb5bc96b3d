import { Text } from '@mantine/core'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { wholeNumber } from '../../format/number.ts'
import { causeOf } from '../requests/failures.ts'
import { Before } from './before.tsx'
import { chanceOf } from './change.ts'
import type { Health, HealthFigures } from './health-queries.ts'
import { healthFilters, type HealthView } from './health-search.ts'
import { leftType, percent } from './rates.ts'

interface Cause {
  type: string
  requests: number
  rate: number
  /** Null: there were no requests before. */
  rateBefore: number | null
  /** The difference of the rates that may be chance. */
  chance: number
}

interface CausesProps {
  health: Health
  /** Absent: the requests are those of all accounts, which no list shows. */
  view?: HealthView
}

/**
 * Why requests failed, the most frequent cause first. Clients that left come last: that is not an error.
 */
export function Causes({ health: { total, previous }, view }: CausesProps) {
  const rows = causesOf(total, previous)
  if (rows.length === 0) return null
  return (
    <Panel p={0}>
      <Panel
        withBorder={false}
        pb="xs"
        title="Causes"
        description="Share of all requests, by cause"
        actions={
          view && (
            <PageLink to="/requests" search={{ ...healthFilters(view), outcome: 'failed' }}>
              View failed requests
            </PageLink>
          )
        }
      >
        {null}
      </Panel>
      <DataTable<Cause>
        label="Errors by cause"
        minWidth={560}
        verticalSpacing="xs"
        columns={columns}
        rows={rows}
        keyOf={({ type }) => type}
        isLast={({ type }) => type === leftType}
      />
    </Panel>
  )
}

function causesOf(total: HealthFigures, previous: HealthFigures): Cause[] {
  const before = new Map(previous.errors.map(({ type, requests }) => [type, requests]))
  // A cause that no longer occurs is shown, too.
  const gone = previous.errors.filter(({ type }) => total.errors.every((one) => one.type !== type))
  const all = [...total.errors, ...gone.map(({ type }) => ({ type, requests: 0 }))]
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
  const causes = all.map(({ type, requests }) => {
    const now = { share: share(requests, total.requests), requests: total.requests }
    const then = { share: share(before.get(type) ?? 0, previous.requests), requests: previous.requests }
    const rateBefore = previous.requests === 0 ? null : then.share
    return { type, requests, rate: now.share, rateBefore, chance: chanceOf(now, then) }
  })
  return causes.toSorted((left, right) => Number(left.type === leftType) - Number(right.type === leftType))
}

const columns: Column<Cause>[] = [
  {
    head: 'Cause',
    place: 'name',
    cell: ({ type }) => {
      const { title, cause } = causeOf(type)
      return (
        <>
          <Text size="sm" fw={500}>
            {title}
          </Text>
          <Text size="xs" c="dimmed">
            {type === leftType ? 'Not an error, so not in the error rate.' : cause} <code>{type}</code>
          </Text>
        </>
      )
    },
  },
  {
    head: 'Requests',
    align: 'right',
    orderBy: ({ requests }) => BigInt(requests),
    cell: ({ requests }) => wholeNumber(requests),
  },
  {
    head: 'Share of requests',
    align: 'right',
    place: 'figure',
    weight: 600,
    cell: ({ rate }) => percent(rate),
  },
  {
    head: 'Compared',
    align: 'right',
    cell: ({ type, rate, rateBefore, chance }) => (
      <Before
        now={rate}
        before={rateBefore}
        better={type === leftType ? 'neither' : 'down'}
        format={percent}
        least={chance}
      />
    ),
  },
]
