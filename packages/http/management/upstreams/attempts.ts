import { healthHourDays, type UpstreamAttempts } from '@turnpike/gateway'
import { invalidRequest } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import type { ManagementServices } from '../services.ts'
import { usageQuery, usageRange } from '../usage/filter.ts'
import { epochSeconds, nullable, timestamp, requestObject } from '../validation/fields.ts'

const dayMs = 24 * 60 * 60 * 1000

const rate = nullable(Type.Number({ description: 'From 0 to 1; null: it was not called.' }))

const upstreamSchema = Type.Object(
  {
    object: Type.Literal('upstream_attempts'),
    provider: Type.String(),
    model: Type.String({ description: 'Its name there.' }),
    attempts: Type.Integer({ description: 'Number of calls, not counting those whose caller disconnected.' }),
    failures: Type.Integer({
      description:
        'Of these, those without an answer or with an interrupted one, even if another upstream ' +
        'answered in the end, but not refusals because of the request itself (`refusals`).',
    }),
    refusals: Type.Integer(),
    not_asked: Type.Integer({
      description:
        'How often it was skipped, such as while its circuit breaker was open, or the caller had ' +
        'disconnected.',
    }),
    failure_rate: rate,
    previous_failure_rate: nullable(
      Type.Number({ description: 'For the same number of days before; null: it was not called.' }),
    ),
    results: Type.Array(
      Type.Object({
        result: Type.String({ description: "As in a request's attempts: `ok`, `status-429`, `resting`, …" }),
        attempts: Type.Integer(),
        last_at: timestamp,
        last_request_id: Type.String({ description: 'The latest request with this result.' }),
      }),
      { description: 'By result, most frequent first.' },
    ),
  },
  { title: 'UpstreamAttempts' },
)

const periodSchema = Type.Object({
  period: Type.String({ description: 'A day such as `2026-03-15`, or an hour such as `2026-03-15T07:00Z`.' }),
  attempts: Type.Integer(),
  failures: Type.Integer(),
})

const { days, from, to, provider } = usageQuery
const query = {
  days,
  from,
  to,
  provider,
  model: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'Its name there.' })),
  by: Type.Optional(
    Type.Enum(['day', 'hour'], {
      description: `Of \`periods\`. Hours are kept for ${healthHourDays} days. Default \`day\`.`,
    }),
  ),
}

/** How upstreams performed in a range of days, per attempt, compared with the same number of days before. */
export function registerUpstreamAttempts(
  app: ManagementApp,
  path: string,
  services: Pick<ManagementServices, 'attempts' | 'apiKeys' | 'organizations' | 'projects' | 'clock'>,
): void {
  const schema = {
    querystring: requestObject(query),
    response: {
      200: Type.Object({
        object: Type.Literal('list'),
        range_days: Type.Integer(),
        counted_since: timestamp,
        data: Type.Array(upstreamSchema),
        periods: Type.Array(periodSchema),
      }),
    },
  }
  app.get(path, { schema }, async (request) => {
    const { by = 'day', ...query } = request.query
    const range = await usageRange(query, { accountId: undefined, onlyOf: undefined }, services)
    const { fromMs, toMs } = range.filter
    requireHours(by, fromMs, services.clock())
    const upstream = {
      ...(query.provider !== undefined && { provider: query.provider }),
      ...(query.model !== undefined && { model: query.model }),
    }
    const { attempts } = services
    const lengthMs = range.days * dayMs
    const [now, before, periods, sinceMs] = await Promise.all([
      attempts.upstreams({ fromMs, toMs, ...upstream }),
      attempts.upstreams({ fromMs: fromMs - lengthMs, toMs: fromMs, ...upstream }),
      attempts.periods({ fromMs, toMs, ...upstream }, by),
      attempts.countedSinceMs(),
    ])
    const earlier = new Map(before.map((one) => [nameOf(one), one]))
    return {
      object: 'list' as const,
      range_days: range.days,
      counted_since: epochSeconds(sinceMs),
      data: now.map((one) => upstreamRecord(one, earlier.get(nameOf(one)))),
      periods,
    }
  })
}

function requireHours(by: 'day' | 'hour', fromMs: number, nowMs: number): void {
  const oldestMs = Math.floor(nowMs / dayMs) * dayMs - healthHourDays * dayMs
  if (by === 'hour' && fromMs < oldestMs)
    throw invalidRequest(
      'by',
      `\`by\`: expected \`day\`. Hours are only available for the last ${healthHourDays} days.`,
    )
}

function nameOf({ provider, model }: UpstreamAttempts): string {
  return `${provider}\n${model}`
}

function upstreamRecord(
  found: UpstreamAttempts,
  before: UpstreamAttempts | undefined,
): Static<typeof upstreamSchema> {
  return {
    object: 'upstream_attempts',
    provider: found.provider,
    model: found.model,
    attempts: found.attempts,
    failures: found.failures,
    refusals: found.refusals,
    not_asked: found.unjudged,
    failure_rate: rateOf(found),
    previous_failure_rate: before === undefined ? null : rateOf(before),
    results: found.results.map(({ result, attempts, lastAtMs, lastRequestId }) => ({
      result,
      attempts,
      last_at: epochSeconds(lastAtMs),
      last_request_id: lastRequestId,
    })),
  }
}

function rateOf({ attempts, failures }: UpstreamAttempts): number | null {
  return attempts === 0 ? null : failures / attempts
}
