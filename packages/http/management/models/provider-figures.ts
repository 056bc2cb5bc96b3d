import type { HealthFigures, HealthStore, ProviderHealth, ProviderHealthStore } from '@turnpike/gateway'
import { Type, type Static } from 'typebox'
import { nullable } from '../validation/fields.ts'

/* How providers did, as accounts and the public may know it: decision 17 says what is told, and why. */

const dayMs = 24 * 60 * 60 * 1000
/** The last whole days, UTC: figures that are renewed once a day tell nothing of a single request. */
export const measuredDays = 7
/** Fewer requests, or those of fewer accounts, are nobody's but their own. */
const leastRequests = 100
const leastAccounts = 3
/** An account with a larger share would be told of by the sum. */
const largestShare = 0.8
/** How long sums over all accounts are kept in memory, within a day. */
const keptMs = 60 * 60 * 1000
/** That they cannot be read: strangers who ask on do not keep the database from coming back. */
const keptFailureMs = 5_000

/** What the caller, its key or its credit is to blame for, and what it did not wait for. */
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
    scope: Type.Enum(['all', 'account'], { description: '`account`: your own requests alone.' }),
    requests: nullable(Type.Integer({ description: 'Your own; null: those of all are not told.' })),
    uptime: nullable(
      Type.Number({
        description:
          'From 0 to 1: how many of the requests it answered, without those that their callers were to ' +
          'blame for. Of a request that several were asked for, what the last one said. Null: there ' +
          'were none.',
      }),
    ),
    time_to_first_token_ms: times('Of streamed answers. Read from a histogram: at most 9 % off.'),
    latency_ms: times('Of completed answers, to their end. As exact.'),
    tokens_per_second: nullable(
      Type.Integer({ description: 'Output tokens of completed answers by their whole time.' }),
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

/** How the providers of a model did, by provider. */
export interface ProviderFigures {
  /** All accounts together, where there are enough of them. */
  ofAll(model: string): Promise<Map<string, MeasuredProvider>>
  /** One account's own, today included. */
  ofAccount(accountId: string, model: string): Promise<Map<string, MeasuredProvider>>
}

export function providerFigures(services: ProviderFiguresServices): ProviderFigures {
  const { usageHealth, providerHealth } = services
  let kept: { tillMs: number; byModel: Promise<Map<string, ProviderHealth[]>> } | undefined

  const readAll = async (toMs: number): Promise<Map<string, ProviderHealth[]>> => {
    const found = await providerHealth.between({ fromMs: toMs - measuredDays * dayMs, toMs })
    return Map.groupBy(found.filter(isTold), ({ model }) => model)
  }
  /** One question, however many ask. */
  const all = (): Promise<Map<string, ProviderHealth[]>> => {
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
      const found = (await all()).get(model) ?? []
      return new Map(found.map((one) => [one.provider, measured(one, 'all')]))
    },
    async ofAccount(accountId, model) {
      const toMs = startOfDay(services.clock()) + dayMs
      const filter = { accountId, model, fromMs: toMs - measuredDays * dayMs, toMs }
      const found = await usageHealth.groups(filter, 'provider', maxProviders)
      return new Map(found.map((one) => [one.group ?? '', measured(one, 'account')]))
    },
  }
}

/** Nobody configures as many for one model. */
const maxProviders = 1_000

/** Whether a sum tells of the provider, and not of one of those who asked it. */
function isTold({ requests, accounts, largestRequests }: ProviderHealth): boolean {
  return requests >= leastRequests && accounts >= leastAccounts && largestRequests <= requests * largestShare
}

function measured(figures: HealthFigures, scope: MeasuredProvider['scope']): MeasuredProvider {
  return {
    scope,
    requests: scope === 'account' ? figures.requests : null,
    uptime: uptimeOf(figures),
    time_to_first_token_ms: figures.firstTokenMs,
    latency_ms: figures.durationMs,
    tokens_per_second: figures.tokensPerSecond === null ? null : Math.round(figures.tokensPerSecond),
  }
}

/** In thousandths. */
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
