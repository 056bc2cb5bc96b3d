import { formatUsd } from '@turnpike/billing'
import {
  healthDimensions,
  healthHourDays,
  type HealthDimension,
  type HealthFigures,
  type HealthFilter,
  type UsageFilter,
} from '@turnpike/gateway'
import { invalidRequest } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { limitParameter } from '../page.ts'
import type { UsageScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { epochSeconds, nullable, timestamp, usd, requestObject } from '../validation/fields.ts'
import { ownerOf, usageQuery, usageRange, type FilterServices } from './filter.ts'

type HealthServices = Pick<ManagementServices, 'usageHealth'> & FilterServices

const dayMs = 24 * 60 * 60 * 1000
/** A year by day, or a month by hour, fits on one page. */
const defaultGroups = 1_000
const maxGroups = 3_000
/** A caller that disconnected is nobody's error. */
const leftType = 'client_closed_request'

const dimension = Type.Unsafe<HealthDimension>(
  Type.Union(
    [
      Type.Enum([...healthDimensions]),
      Type.String({
        pattern: '^tag:(?!\\s)[^\\p{Cc}]{0,62}\\S$',
        'x-expected': '`tag:` and the key of tags such as `team:search`: `tag:team`',
      }),
    ],
    {
      description:
        `Hours are kept for ${healthHourDays} days. A request with two tags is in the groups of both, also ` +
        'of one key: `tag:team`.',
    },
  ),
)

const { days, from, to, key_id, member_id, project_id, model, provider } = usageQuery
const healthQuery = {
  days,
  from,
  to,
  key_id,
  member_id,
  project_id,
  model,
  provider,
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Not with `key_id`.' })),
  by: Type.Optional(dimension),
  limit: limitParameter(defaultGroups, maxGroups),
}

const times = (description: string) =>
  Type.Object({ p50: nullable(Type.Integer()), p95: nullable(Type.Integer()) }, { description })

const figureFields = {
  requests: Type.Integer({ description: 'All, failed ones too.' }),
  completed: Type.Integer({ description: 'Completed requests.' }),
  error_rate: nullable(
    Type.Number({ description: 'From 0 to 1, not counting callers who disconnected; null: no requests.' }),
  ),
  errors: Type.Array(Type.Object({ type: Type.String(), requests: Type.Integer() }), {
    description: `By error type, most frequent first; \`${leftType}\`: callers who disconnected.`,
  }),
  time_to_first_token_ms: times('Of streamed answers. From a histogram, accurate to within 9 %.'),
  latency_ms: times('Of completed answers, to their end. Same accuracy.'),
  tokens_per_second: nullable(
    Type.Number({
      description: 'Output tokens of completed answers divided by their total time, including waiting.',
    }),
  ),
  tokens_in: Type.Integer(),
  cache_read_tokens: Type.Integer({ description: 'Of `tokens_in`, those read from a cache.' }),
  cache_write_tokens: Type.Integer(),
  cache_saved_usd: Type.Unsafe<string>({
    ...usd,
    description: 'Additional cost if they had been charged as normal input.',
  }),
}
const figuresSchema = Type.Object(figureFields, { title: 'HealthFigures' })

/** How requests went, in total and by group, compared with the same number of days before. */
export const registerHealth: ScopedRoutes<UsageScope, HealthServices> = (app, path, scope, services) => {
  const row = Type.Object({
    group: nullable(Type.String()),
    ...figureFields,
    previous: nullable(figuresSchema),
  })
  const schema = {
    params: Type.Object(scope.params),
    querystring: requestObject(healthQuery),
    response: {
      200: Type.Object({
        object: Type.Literal('health'),
        range_days: Type.Integer(),
        counted_since: timestamp,
        by: nullable(dimension),
        total: figuresSchema,
        previous: figuresSchema,
        data: Type.Array(row),
        has_more: Type.Boolean(),
      }),
    },
  }
  app.get(path, { schema }, async (request) => {
    const { by, limit = defaultGroups, tag, ...query } = request.query
    const owner = await ownerOf(scope, request)
    const range = await usageRange({ ...query, ...(tag && { tag: [tag] }) }, owner, services)
    requireAnswerable(range.filter, by, services.clock())
    const filter = healthFilter(range.filter)
    const before = { ...filter, fromMs: filter.fromMs - range.days * dayMs, toMs: filter.fromMs }
    const { usageHealth: health } = services
    const [since, total, previous] = [health.countedSinceMs(), health.summary(filter), health.summary(before)]
    const groups = by === undefined ? [] : await health.groups(filter, by, limit + 1)
    const isOfTime = by === 'day' || by === 'hour'
    const earlier = by === undefined || isOfTime ? [] : await health.groups(before, by, maxGroups)
    const earlierByName = new Map(earlier.map((one) => [one.group, one]))
    return {
      object: 'health' as const,
      range_days: range.days,
      counted_since: epochSeconds(await since),
      by: by ?? null,
      total: figures(await total),
      previous: figures(await previous),
      data: groups.slice(0, limit).map((one) => {
        const same = earlierByName.get(one.group)
        return { group: one.group, ...figures(one), previous: same === undefined ? null : figures(same) }
      }),
      has_more: groups.length > limit,
    }
  })
}

/** Requests are counted by key or by tag, not by both; hours are stored for a shorter time than days. */
function requireAnswerable(
  { keyId, memberId, projectId, tags, fromMs }: UsageFilter,
  by: HealthDimension | undefined,
  nowMs: number,
) {
  const isByTag = by === 'tag' || by?.startsWith('tag:') === true
  const isOfKeys = (keyId ?? memberId ?? projectId) !== undefined
  if (tags !== undefined && isOfKeys)
    throw invalidRequest('tag', '`tag`: cannot be combined with a key, member or project.')
  if (isOfKeys && isByTag)
    throw invalidRequest('by', '`by`: tags cannot be combined with a key, member or project.')
  if (tags !== undefined && by === 'key')
    throw invalidRequest('by', '`by`: keys cannot be combined with `tag`.')
  const oldestMs = Math.floor(nowMs / dayMs) * dayMs - healthHourDays * dayMs
  if (by === 'hour' && fromMs < oldestMs)
    throw invalidRequest(
      'by',
      `\`by\`: expected \`day\`. Hours are only available for the last ${healthHourDays} days.`,
    )
}

function healthFilter(filter: UsageFilter): HealthFilter {
  const { accountId, fromMs, toMs, keyId, memberId, projectId, model, provider, tags } = filter
  const [tag] = tags ?? []
  return {
    fromMs,
    toMs,
    ...(accountId === undefined ? {} : { accountId }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(memberId === undefined ? {} : { memberId }),
    ...(projectId === undefined ? {} : { projectId }),
    ...(model === undefined ? {} : { model }),
    ...(provider === undefined ? {} : { provider }),
    ...(tag === undefined ? {} : { tag }),
  }
}

function figures(found: HealthFigures): Static<typeof figuresSchema> {
  const failed = found.errors.reduce((sum, { type, requests }) => sum + (type === leftType ? 0 : requests), 0)
  return {
    requests: found.requests,
    completed: found.completed,
    error_rate: found.requests === 0 ? null : failed / found.requests,
    errors: found.errors,
    time_to_first_token_ms: found.firstTokenMs,
    latency_ms: found.durationMs,
    tokens_per_second: found.tokensPerSecond,
    tokens_in: found.tokensIn,
    cache_read_tokens: found.cacheReadTokens,
    cache_write_tokens: found.cacheWriteTokens,
    cache_saved_usd: formatUsd(found.savedPico),
  }
}
