import { decimalUnits, dollars, groupDigits, type UsageGroup, type UsageSummary } from '@turnpike/api'
import { bar } from '../../terminal/bar.ts'
import type { Screen } from '../../terminal/screen.ts'
import { facts } from '../../terminal/table.ts'
import { pad } from '../../terminal/text-width.ts'
import { max, share } from './group-columns.ts'

const dayMs = 86_400_000
const maxBars = 31
const longestBar = 40
const dateWidth = 10
/** At least this many days are drawn, even without costs. */
const quietDays = 7

/** The total of a range, with a bar for each of its days. */
export function summaryText(summary: UsageSummary, days: UsageGroup[], screen: Screen): string {
  const { style } = screen
  const range = summary.range_days === 1 ? 'Today (UTC)' : `The last ${summary.range_days} days`
  const sums = facts(
    [
      ['cost', style.bold(dollars(summary.total_cost_usd))],
      ['requests', groupDigits(summary.total_requests)],
      ['tokens in', groupDigits(summary.total_tokens_in)],
      ['tokens out', groupDigits(summary.total_tokens_out)],
    ],
    screen,
  )
  const drawn = days.length === 0 ? '' : `\n${chart(summary.range_days, days, screen)}`
  return `${style.bold(range)}\n${sums}${drawn}`
}

/** A long range has more days than a screen has lines, so each bar covers several. */
function chart(rangeDays: number, groups: UsageGroup[], screen: Screen): string {
  const costs = new Map(groups.map(({ group, total_cost_usd: cost }) => [String(group), decimalUnits(cost)]))
  const daysPerBar = Math.ceil(rangeDays / maxBars)
  const todayMs = Math.floor(screen.nowMs / dayMs) * dayMs
  const bars: { date: string; cost: bigint }[] = []
  for (let back = rangeDays - 1; back >= 0; back--) {
    const date = new Date(todayMs - back * dayMs).toISOString().slice(0, dateWidth)
    const cost = costs.get(date) ?? 0n
    const current = bars.at(-1)
    if (current === undefined || (rangeDays - 1 - back) % daysPerBar === 0) bars.push({ date, cost })
    else current.cost += cost
  }
  // A new account has nothing to show for the days before it.
  const first = bars.findIndex(({ cost }) => cost > 0n)
  const since = first > quietDays ? bars.splice(0, first - 1)[0] : undefined
  const dearest = bars.reduce((most, { cost }) => max(most, cost), 0n)
  const texts = bars.map(({ cost }) => (cost === 0n ? '' : roughly(cost)))
  const costWidth = Math.max(...texts.map((text) => text.length))
  const barWidth = Math.max(Math.min(longestBar, screen.width - dateWidth - costWidth - 6), 4)
  const notes = [
    ...(daysPerBar === 1 ? [] : [`${daysPerBar} days per bar, starting on the day shown`]),
    ...(since === undefined ? [] : [`no usage from ${since.date} until`]),
  ]
  const heading = notes.map((note) => `  ${screen.style.dim(note)}\n`).join('')
  const lines = bars.map(({ date, cost }, index) => {
    const drawn = pad(bar(share(cost, dearest), barWidth), barWidth)
    return `  ${screen.style.dim(date)}  ${screen.style.cyan(drawn)}  ${texts[index]}`.trimEnd()
  })
  return `${heading}${lines.join('\n')}\n`
}

/** The label of a bar: four significant digits are enough. */
function roughly(units: bigint): string {
  const usd = Number(units) / 1e18
  return usd >= 1
    ? `$${usd.toFixed(2)}`
    : `$${Number(usd.toPrecision(4)).toFixed(12).replace(/0+$/, '').replace(/\.$/, '')}`
}
