import { dollars, groupDigits, type Health, type HealthFigures, type HealthTimes } from '@turnpike/api'
import type { Screen } from '../../terminal/screen.ts'
import { facts, table, type Column } from '../../terminal/table.ts'

type Figures = Pick<Health, 'total' | 'previous'>

/** How requests went, compared with as many days before, and by group if requested. */
export function healthText(health: Health, screen: Screen): string {
  const { range_days: days, by, total, data, has_more: hasMore, counted_since: since } = health
  const range = days === 1 ? 'Today (UTC)' : `The last ${days} days`
  const before = days === 1 ? 'the day before' : `the ${days} days before`
  const errors = total.errors.map(({ type, requests }) => [type, groupDigits(requests)] as const)
  const causes = errors.length === 0 ? '' : `\n${screen.style.bold('Errors')}\n${facts(errors, screen)}`
  const rows =
    by === null ? '' : `\n${data.length === 0 ? 'No requests in this period.\n' : groups(health, screen)}`
  const more = hasMore ? screen.style.dim('There are more. Use --limit to see them.\n') : ''
  const counted = `Counted since ${new Date(since * 1000).toISOString().slice(0, 16)}Z.`
  return (
    `${screen.style.bold(range)}, compared with ${before} (in brackets)\n${facts(sums(health), screen)}` +
    `${causes}${rows}${more}${screen.style.dim(counted)}\n`
  )
}

function sums({ total, previous }: Figures): [string, string][] {
  const beside = (say: (figures: HealthFigures) => string): string => {
    const then = say(previous)
    return then === '–' ? say(total) : `${say(total)} (${then})`
  }
  return [
    ['requests', beside(({ requests }) => groupDigits(requests))],
    ['error rate', beside(({ error_rate: rate }) => percent(rate))],
    ['first token, p50', beside((figures) => time(figures.time_to_first_token_ms, 'p50'))],
    ['first token, p95', beside((figures) => time(figures.time_to_first_token_ms, 'p95'))],
    ['full answer, p50', beside((figures) => time(figures.latency_ms, 'p50'))],
    ['full answer, p95', beside((figures) => time(figures.latency_ms, 'p95'))],
    ['tokens per second', beside(speed)],
    ['cached input', beside((figures) => percent(cacheShare(figures)))],
    ['saved by caching', beside(({ cache_saved_usd: saved }) => dollars(saved))],
  ]
}

function groups({ by, data }: Health, screen: Screen): string {
  const column = (title: string, text: (row: HealthFigures) => string): Column<HealthFigures> => ({
    field: title,
    title,
    align: 'right',
    text,
    narrow: 'drop',
  })
  const name: Column<(typeof data)[number]> = {
    field: 'group',
    title: (by ?? '').toUpperCase(),
    text: ({ group }) => group ?? `(no ${by})`,
    paint: (text, _, { bold }) => bold(text),
  }
  return table(
    data,
    [
      name,
      column('REQUESTS', ({ requests }) => groupDigits(requests)),
      { ...column('ERRORS', ({ error_rate: rate }) => percent(rate)), narrow: 'keep' },
      column('FIRST p50', (row) => time(row.time_to_first_token_ms, 'p50')),
      column('p95', (row) => time(row.time_to_first_token_ms, 'p95')),
      column('WHOLE p50', (row) => time(row.latency_ms, 'p50')),
      column('p95', (row) => time(row.latency_ms, 'p95')),
      column('TOKENS/S', speed),
      column('CACHED', (row) => percent(cacheShare(row))),
      column('SAVED', ({ cache_saved_usd: saved }) => dollars(saved)),
    ],
    screen,
  )
}

function percent(share: number | null): string {
  if (share === null) return '–'
  const value = share * 100
  return `${Number(value.toFixed(value < 1 ? 2 : 1))} %`
}

function cacheShare({ tokens_in: all, cache_read_tokens: read }: HealthFigures): number | null {
  return all === 0 ? null : read / all
}

function time(times: HealthTimes, which: keyof HealthTimes): string {
  const ms = times[which]
  if (ms === null) return '–'
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

function speed({ tokens_per_second: tokens }: HealthFigures): string {
  return tokens === null ? '–' : tokens.toFixed(tokens < 10 ? 1 : 0)
}
