import { formatUsd, parseUsd } from '@turnpike/billing'
import type { AccountBooks } from './comparison/books.ts'
import type { Differences } from './comparison/differences.ts'
import type { Engine, Fleet } from './fleet/fleet.ts'
import type { Events } from './events.ts'

export interface Report {
  engine: Engine
  seed: number
  durationMs: number
  events: Events
  books: AccountBooks[]
  verified: number
  strayKeys: number
  belowZero: number
  beyondHold: number
  budgets: number
  moves: string[]
  differences: Differences
  fleet: Fleet
}

/** A line that summarizes what has happened so far. */
export function progressLine(
  { sightings, movements, disturbances }: Events,
  fleet: Fleet,
  atMs: number,
): string {
  const disturbed = [...disturbances.values()].reduce((sum, count) => sum + count, 0)
  const serving = fleet.nodes.filter((node) => node.isServing).length
  return (
    `${fleet.engine}, ${Math.round(atMs / 1000)} s: ${sightings.length} requests, ` +
    `${movements.length} movements, ${disturbed} disturbances, ${serving} of ${fleet.nodes.length} nodes up`
  )
}

/** The whole run as rows of a table: what, and how often. */
export function summaryRows(report: Report): [string, string][] {
  const { events, books, seed, differences } = report
  const rows = books.flatMap((book) => book.rows)
  const charged = rows.filter((row) => row.cost_usd !== '0')
  const total = charged.reduce((sum, row) => sum + parseUsd(row.cost_usd), 0n)
  const moved = events.movements
  return [
    ['engine', engineText(report)],
    ['seed', String(seed)],
    ['duration', `${Math.round(report.durationMs / 1000)} s`],
    ['requests sent', String(events.sightings.length)],
    ['as their clients saw them', counted(events.sightings.map((one) => one.ending))],
    ['statuses', counted(events.sightings.map((one) => String(one.status ?? 'none')))],
    ['as the gateway recorded them', counted(rows.map((row) => row.outcome))],
    ['disturbances', counted([...events.disturbances].flatMap(([kind, count]) => Array(count).fill(kind)))],
    ['movements', counted(moved.map((one) => `${one.plan.kind} ${one.status}`))],
    ['movements sent more than once', String(moved.filter((one) => one.attempts > 1).length)],
    ['keys whose making no answer told', String(report.strayKeys)],
    ['charges', `${charged.length}, ${formatUsd(total)} USD`],
    ['requests beyond their hold', `${report.beyondHold}, on ${report.belowZero} keys below zero`],
    ['of the organization', counted(report.moves)],
    ['budgets compared', String(report.budgets)],
    ['compared by ledger verify', String(report.verified)],
    ['differences', String(differences.count)],
  ]
}

/** One cause may produce a thousand lines. */
const mostLines = 50

/** The differences, one per line; the first is the most useful. */
export function differenceLines({ differences }: Pick<Report, 'differences'>): string[] {
  const { first, count } = differences
  const lines = first
    .slice(0, mostLines)
    .map(({ what, expected, found }) => `${what}: expected ${expected}, found ${found}`)
  return count > lines.length ? [...lines, `and ${count - lines.length} more`] : lines
}

/** `completed 120, failed 7`, the most frequent first. */
function counted(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .toSorted(([, left], [, right]) => right - left)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}

function engineText({ engine, fleet: { workers } }: Report): string {
  if (engine === 'postgres') return 'PostgreSQL, two nodes'
  return workers === undefined ? 'SQLite, one node' : `SQLite, one node of ${workers} workers`
}
