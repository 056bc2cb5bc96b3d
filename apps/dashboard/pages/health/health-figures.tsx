import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { Figure } from '../../components/figure.tsx'
import { Money } from '../../components/money.tsx'
import { duration, shortNumber, wholeNumber } from '../../format/number.ts'
import { Before } from './before.tsx'
import { chanceOf, type Better } from './change.ts'
import type { Health, HealthFigures as Figures } from './health-queries.ts'
import { cacheShareOf, countFailures, percent, speed } from './rates.ts'

interface FigureFacts {
  label: string
  valueOf: (figures: Figures) => number | null
  format: (value: number) => string
  better: Better
  note: (figures: Figures) => ReactNode
  /** Its value is a share of the requests. */
  isShare?: boolean
}

const within = (ms: number | null): string => (ms === null ? '' : `95 % within ${duration(ms)}`)

const shown: FigureFacts[] = [
  {
    label: 'Error rate',
    valueOf: ({ error_rate: rate }) => rate,
    format: percent,
    better: 'down',
    isShare: true,
    note: (figures) => `${wholeNumber(countFailures(figures))} failed`,
  },
  {
    label: 'First token, median',
    valueOf: (figures) => figures.time_to_first_token_ms.p50,
    format: duration,
    better: 'down',
    note: (figures) => within(figures.time_to_first_token_ms.p95),
  },
  {
    label: 'Full answer, median',
    valueOf: ({ latency_ms: times }) => times.p50,
    format: duration,
    better: 'down',
    note: ({ latency_ms: times }) => within(times.p95),
  },
  {
    label: 'Requests',
    valueOf: ({ requests }) => requests,
    format: shortNumber,
    better: 'neither',
    note: ({ completed }) => `${shortNumber(completed)} answered in full`,
  },
  {
    label: 'Tokens per second',
    valueOf: ({ tokens_per_second: tokens }) => tokens,
    format: speed,
    better: 'up',
    note: () => 'per answer, including waiting time',
  },
  {
    label: 'Cached input',
    valueOf: cacheShareOf,
    format: percent,
    better: 'up',
    note: ({ cache_saved_usd: saved }) => (
      <>
        saved <Money amount={saved} />
      </>
    ),
  },
]

interface HealthFiguresProps {
  /** Undefined while it loads. */
  health: Health | undefined
}

/** The health of all requests, compared with the same number of days before. */
export function HealthFigures({ health }: HealthFiguresProps) {
  return (
    <SimpleGrid cols={{ base: 2, md: 3 }} spacing={{ base: 'sm', md: 'lg' }}>
      {shown.map(({ label, ...facts }) => (
        <Figure
          key={label}
          label={label}
          noteLines={2}
          {...(health && figureProps(facts, health))}
          value={valueIn(facts, health)}
        />
      ))}
    </SimpleGrid>
  )
}

function valueIn({ valueOf, format }: Omit<FigureFacts, 'label'>, health: Health | undefined): ReactNode {
  if (health === undefined) return undefined
  const value = valueOf(health.total)
  return value === null ? '–' : format(value)
}

function figureProps(facts: Omit<FigureFacts, 'label'>, { total, previous }: Health) {
  const { valueOf, format, better, note, isShare = false } = facts
  const [now, before] = [valueOf(total), valueOf(previous)]
  const least = isShare ? shareChance(total, previous) : undefined
  return {
    note: (
      <>
        <div>{now === null ? 'no data yet' : note(total)}</div>
        <Before now={now} before={before} better={better} format={format} least={least} />
      </>
    ),
  }
}

/** The difference of two error rates that may be chance. */
export function shareChance(total: Figures, previous: Figures): number {
  return chanceOf(
    { share: total.error_rate ?? 0, requests: total.requests },
    { share: previous.error_rate ?? 0, requests: previous.requests },
  )
}
