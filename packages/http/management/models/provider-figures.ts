import type { HealthFigures, HealthStore, ProviderHealth, ProviderHealthStore } from '@turnpike/gateway'
import { Type, type Static } from 'typebox'
import { isoDay } from '../files/stream.ts'
import { nullable } from '../validation/fields.ts'

/*
 * How providers perform, as accounts and the public may see it. Decision 17 explains what is shown, and why.
 */

const dayMs = 24 * 60 * 60 * 1000
/** The last whole days, UTC: figures that change once a day reveal nothing about a single request. */
export const measuredDays = 7
/** With fewer requests, the figures would reveal too much about the accounts behind them. */
const leastRequests = 100
const leastAccounts = 3
/** If one account has a larger share, the sum would reveal its figures. */
const largestShare = 0.8
/** How long sums over all accounts are cached, within a day. */
const keptMs = 60 * 60 * 1000
/** How long a failed read is cached, so that further requests do not keep the database from recovering. */
const keptFailureMs = 5_000

/** Errors that the caller, its key or its credit caused, and requests that the caller did not wait for. */
const ofCaller = new Set([
  'client_closed_request',
  'invalid_request_error',
  'authentication_error',
  'insufficient_quota',
  'permission_error',
  'not_found_error',
  'conflict_error',
  'request_too_large',
])

const times = (description: string) =>
  Type.Object({ p50: nullable(Type.Integer()), p95: nullable(Type.Integer()) }, { description })

export const measuredSchema = Type.Object(
  {
    scope: Type.Enum(['all', 'account'], { description: '`account`: only your own requests.' }),
    requests: nullable(Type.Integer({ description: 'Your own requests; null: not shown for all accounts.' })),
    uptime: nullable(
      Type.Number({
        description:
          'From 0 to 1: the share of requests it answered, not counting those that failed because of ' +
          'their callers. If several providers were tried, only the last one counts. Null: there were ' +
          'none.',
      }),
    ),
    uptime_by_day: Type.Array(Type.Object({ day: Type.String(), uptime: nullable(Type.Number()) }), {
      description: 'The same per day, UTC, oldest first. Null: too few requests, or none.',
    }),
    time_to_first_token_ms: times('Of streamed answers. From a histogram, accurate to within 9 %.'),
    latency_ms: times('Of completed answers, to their end. Same accuracy.'),
    tokens_per_second: nullable(
      Type.Integer({ description: 'Output tokens of completed answers divided by their total time.' }),
    ),
  },
  { title: 'MeasuredProvider' },
)
export type MeasuredProvider = Static<typeof measuredSchema>

export interface ProviderFiguresServices {
  usageHealth: Pick<HealthStore, 'groups'>
  providerHealth: ProviderHealthStore
  clock(): number
}

/** The figures of a model's providers, by provider. */
export interface ProviderFigures {
  /** Over all accounts, if there are enough of them. */
  ofAll(model: string): Promise<Map<string, MeasuredProvider>>
  /** One account's own, including today. */
  ofAccount(accountId: string, model: string): Promise<Map<string, MeasuredProvider>>
}

export function providerFigures(services: ProviderFiguresServices): ProviderFigures {
  const { usageHealth, providerHealth } = services
  let kept: { tillMs: number; byModel: Promise<ByModel> } | undefined

  const readAll = async (toMs: number): Promise<ByModel> => {
    const fromMs = toMs - measuredDays * dayMs
    const found = (await providerHealth.between({ fromMs, toMs })).filter(isTold)
    const days: Day[] = []
    for (const dayStartMs of found.length === 0 ? [] : startsOfDays(fromMs)) {
      // A day is shown by the same rule as a week.
      const ofDay = await providerHealth.between({ fromMs: dayStartMs, toMs: dayStartMs + dayMs })
      days.push({ day: isoDay(dayStartMs), uptimes: uptimesOf(ofDay.filter(isTold)) })
    }
    const figuresOf = (one: ProviderHealth): MeasuredProvider =>
      toMeasured(one, 'all', byDay(days, placeOf(one)))
    const byModel = Map.groupBy(found, ({ model }) => model)
    return new Map(
      [...byModel].map(([model, ones]) => [
        model,
        new Map(ones.map((one) => [one.provider, figuresOf(one)])),
      ]),
    )
  }
  /** Simultaneous callers share one query. */
  const all = (): Promise<ByModel> => {
    const nowMs = services.clock()
    if (kept !== undefined && nowMs < kept.tillMs) return kept.byModel
    const todayMs = startOfDay(nowMs)
    const own = { tillMs: Math.min(nowMs + keptMs, todayMs + dayMs), byModel: readAll(todayMs) }
    kept = own
    own.byModel.catch(() => {
      own.tillMs = nowMs + keptFailureMs
    })
    return own.byModel
  }
  return {
    async ofAll(model) {
      return (await all()).get(model) ?? new Map()
    },
    async ofAccount(accountId, model) {
      const toMs = startOfDay(services.clock()) + dayMs
      const filter = { accountId, model, fromMs: toMs - measuredDays * dayMs, toMs }
      const found = await usageHealth.groups(filter, 'provider', maxProviders)
      const measured = new Map<string, MeasuredProvider>()
      for (const one of found) {
        const provider = one.group ?? ''
        const groups = await usageHealth.groups({ ...filter, provider }, 'day', measuredDays)
        const uptimes = new Map(groups.map((ofDay) => [ofDay.group, uptimeOf(ofDay)]))
        const days = startsOfDays(filter.fromMs).map(isoDay)
        const ofDays = days.map((day) => ({ day, uptime: uptimes.get(day) ?? null }))
        measured.set(provider, toMeasured(one, 'account', ofDays))
      }
      return measured
    },
  }
}

/** By model and provider. */
type ByModel = Map<string, Map<string, MeasuredProvider>>

/** The figures of one day, by model and provider. */
interface Day {
  day: string
  uptimes: Map<string, number | null>
}

type UptimeByDay = MeasuredProvider['uptime_by_day']

function placeOf({ model, provider }: Pick<ProviderHealth, 'model' | 'provider'>): string {
  return `${provider}\n${model}`
}

function uptimesOf(found: readonly ProviderHealth[]): Day['uptimes'] {
  return new Map(found.map((one) => [placeOf(one), uptimeOf(one)]))
}

function byDay(days: readonly Day[], place: string): UptimeByDay {
  return days.map(({ day, uptimes }) => ({ day, uptime: uptimes.get(place) ?? null }))
}

function startsOfDays(fromMs: number): number[] {
  return Array.from({ length: measuredDays }, (_, day) => fromMs + day * dayMs)
}

/** A model has few providers: each is queried by day. */
const maxProviders = 20

/** Whether a sum describes the provider, and not one of its callers. */
function isTold({ requests, accounts, largestRequests }: ProviderHealth): boolean {
  return requests >= leastRequests && accounts >= leastAccounts && largestRequests <= requests * largestShare
}

function toMeasured(
  figures: HealthFigures,
  scope: MeasuredProvider['scope'],
  uptimeByDay: UptimeByDay,
): MeasuredProvider {
  return {
    scope,
    requests: scope === 'account' ? figures.requests : null,
    uptime: uptimeOf(figures),
    uptime_by_day: uptimeByDay,
    time_to_first_token_ms: figures.firstTokenMs,
    latency_ms: figures.durationMs,
    tokens_per_second: figures.tokensPerSecond === null ? null : Math.round(figures.tokensPerSecond),
  }
}

/** A fraction, rounded to thousandths. */
function uptimeOf({ requests, errors }: HealthFigures): number | null {
  const sum = (isCounted: (type: string) => boolean): number =>
    errors.reduce((all, { type, requests: count }) => all + (isCounted(type) ? count : 0), 0)
  const judged = requests - sum((type) => ofCaller.has(type))
  if (judged <= 0) return null
  const failed = sum((type) => !ofCaller.has(type))
  return Math.floor(((judged - failed) / judged) * 1_000) / 1_000
}

function startOfDay(timeMs: number): number {
  return Math.floor(timeMs / dayMs) * dayMs
}
