import { Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { Money } from '../../components/money.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { parseUsd } from '../../format/money.ts'
import { duration, wholeNumber } from '../../format/number.ts'
import { dimensionName, dimensionWord, useGroupNames } from '../usage/group-names.ts'
import { narrowView } from '../usage/narrow.ts'
import { Before } from './before.tsx'
import type { Better } from './change.ts'
import { shareChance } from './health-figures.tsx'
import type { Health, HealthFigures, HealthRow } from './health-queries.ts'
import { healthFilters, type HealthDimension, type HealthView } from './health-search.ts'
import { cacheShareOf, percent, speed } from './rates.ts'

interface Row extends HealthFigures {
  /** Absent for the total. */
  row?: HealthRow
  previous: HealthFigures | null
}

interface HealthTableProps {
  health: Health
  by: HealthDimension
  /** The rows are those of all accounts, and have no links. */
  isOfAll?: boolean
}

/** The figures of each group, compared with the same number of days before. */
export function HealthTable({ health: { data, total, previous }, by, isOfAll = false }: HealthTableProps) {
  const isOfTime = by === 'day' || by === 'hour'
  const shown = isOfTime ? data.toReversed() : data
  const called = useGroupNames()
  const name: Column<Row> = {
    head: dimensionName(by),
    place: 'name',
    orderBy: ({ row }) => (row === undefined ? '' : called(by, row.group)),
    cell: ({ row }) =>
      row === undefined ? (
        'Total'
      ) : (
        <GroupLink by={by} group={row.group} called={called(by, row.group)} isOfAll={isOfAll} />
      ),
  }
  return (
    <DataTable<Row>
      label={`Health by ${dimensionWord(by)}`}
      minWidth={900}
      verticalSpacing="xs"
      columns={[name, ...figureColumns(!isOfTime)]}
      rows={shown.map((row) => ({ ...row, row }))}
      keyOf={({ row }) => `named ${row?.group ?? ''}`}
      total={{ ...total, previous }}
    />
  )
}

interface FigureFacts {
  valueOf: (figures: HealthFigures) => number | null
  format: (value: number) => string
  better: Better
  /** Its value is a share of the requests. */
  isShare?: boolean
}

interface ColumnFacts {
  head: string
  /** The table is sorted by the last one. */
  figures: FigureFacts[]
  place?: 'figure'
}

const time = (valueOf: FigureFacts['valueOf']): FigureFacts => ({ valueOf, format: duration, better: 'down' })

const columnFacts: ColumnFacts[] = [
  {
    head: 'Requests',
    figures: [{ valueOf: ({ requests }) => requests, format: wholeNumber, better: 'neither' }],
  },
  {
    head: 'Error rate',
    place: 'figure',
    figures: [{ valueOf: ({ error_rate: rate }) => rate, format: percent, better: 'down', isShare: true }],
  },
  {
    head: 'First token p50 / p95',
    figures: [
      time((figures) => figures.time_to_first_token_ms.p50),
      time((figures) => figures.time_to_first_token_ms.p95),
    ],
  },
  {
    head: 'Full answer p50 / p95',
    figures: [time(({ latency_ms: times }) => times.p50), time(({ latency_ms: times }) => times.p95)],
  },
  {
    head: 'Tokens/s',
    figures: [{ valueOf: ({ tokens_per_second: tokens }) => tokens, format: speed, better: 'up' }],
  },
  { head: 'Cached', figures: [{ valueOf: cacheShareOf, format: percent, better: 'up' }] },
]

function figureColumns(isCompared: boolean): Column<Row>[] {
  const columns = columnFacts.map(({ head, figures, place }): Column<Row> => {
    const orderedBy = figures.at(-1)!
    return {
      head,
      align: 'right',
      ...(place && { place }),
      orderBy: (row) => BigInt(Math.round((orderedBy.valueOf(row) ?? -1) * 1e6)),
      cell: (row) => (
        <>
          <div className="one-line">{figures.map((one) => formatCell(one, row)).join(' / ')}</div>
          {isCompared && row.previous !== null && (
            <div className="one-line">{renderComparison(figures, row, row.previous)}</div>
          )}
        </>
      ),
    }
  })
  return [
    ...columns,
    {
      head: 'Saved',
      align: 'right',
      orderBy: ({ cache_saved_usd: saved }) => parseUsd(saved),
      cell: ({ cache_saved_usd: saved }) => <Money amount={saved} />,
    },
  ]
}

function formatCell({ valueOf, format }: FigureFacts, row: Row): string {
  const value = valueOf(row)
  return value === null ? '–' : format(value)
}

function renderComparison(figures: readonly FigureFacts[], row: Row, previous: HealthFigures): ReactNode {
  const known = figures.filter(({ valueOf }) => valueOf(previous) !== null)
  return known.map(({ valueOf, format, better, isShare = false }, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <Text component="span" size="xs" c="dimmed">
          {' / '}
        </Text>
      )}
      <Before
        isShort
        now={valueOf(row)}
        before={valueOf(previous)}
        better={better}
        format={format}
        least={isShare ? shareChance(row, previous) : undefined}
      />
    </Fragment>
  ))
}

interface GroupLinkProps {
  by: HealthDimension
  group: string | null
  called: string
  isOfAll: boolean
}

/** Links to the same page, filtered by this group. */
function GroupLink({ by, group, called, isOfAll }: GroupLinkProps) {
  if (group !== null && isOfAll)
    return (
      <Text size="sm" fw={500}>
        {called}
      </Text>
    )
  if (group === null)
    return (
      <Text size="sm" c="dimmed">
        {called}
      </Text>
    )
  return (
    <PageLink
      from="/health"
      to="/health"
      search={(before) => narrowHealthView(before, by, group)}
      resetScroll={false}
      fw={500}
      className={by === 'day' || by === 'hour' ? 'one-line' : undefined}
    >
      {called}
    </PageLink>
  )
}

/** A tag replaces the previous one: health data has one at a time. */
function narrowHealthView(view: HealthView, by: HealthDimension, group: string): HealthView {
  const { by: shown, unit, errors, measure, ...filters } = view
  const { tag: _tag, ...others } = filters
  const isOfTags = by === 'tag' || by.startsWith('tag:')
  return {
    ...healthFilters(narrowView(isOfTags ? others : filters, by, group)),
    by: shown,
    unit,
    errors,
    measure,
  }
}
