import {
  maxUsageGroups,
  usageDimensions,
  type UsageDimension,
  type UsageGroup,
  type UsageTotals,
} from '@turnpike/gateway'
import { formatUsd } from '@turnpike/billing'
import { invalidRequest } from '@turnpike/protocol'
import { Type, type TProperties } from 'typebox'
import { fileFormats, sendFile } from '../files/stream.ts'
import { cursorParameter, limitParameter, listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import type { UsageScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { identifierOf, nullable, usd, requestObject } from '../validation/fields.ts'
import { usageExport } from './export.ts'
import { ownerOf, usageQuery, usageRange } from './filter.ts'
import { registerHealth } from './health.ts'
import { marginFields, margins } from './margins.ts'
import { requestDetail, requestDetailSchema, requestRow, requestSchema } from './record.ts'
import { requireFound } from '../not-found.ts'

type UsageServices = Pick<
  ManagementServices,
  'usage' | 'usageHealth' | 'apiKeys' | 'organizations' | 'projects' | 'clock' | 'logger' | 'promptLog'
>

const maxDimensions = 2
/** A year by day is one page, in order; so is everything that makes one chart or table. */
const defaultGroups = 1_000
/** A cursor contains two tags or models, which are the callers' own texts. */
const maxCursorLength = 2_048

const totalFields = {
  total_requests: Type.Integer(),
  total_tokens_in: Type.Integer(),
  total_tokens_out: Type.Integer(),
  total_cost_usd: usd,
}
const group = nullable(Type.String())

const dimension = Type.Unsafe<UsageDimension>(
  Type.Union(
    [
      Type.Enum([...usageDimensions]),
      Type.String({
        pattern: '^tag:(?!\\s)[^\\p{Cc}]{0,62}\\S$',
        'x-expected': '`tag:` and the key of tags such as `team:search`: `tag:team`',
      }),
    ],
    {
      description:
        '`tag:team`: by the values of tags `team:…`, which do not overlap. If a request has several, the ' +
        'first in alphabetical order counts; null: requests without one.',
    },
  ),
)

const saved = {
  total_saved_usd: Type.Optional(
    Type.Unsafe<string>({
      ...usd,
      description:
        "By tier only: what its requests would have cost with the account's baseline model, minus what " +
        'they did cost.',
    }),
  ),
}

/** Usage as a sum, by group, request by request, and as a file. */
export const registerUsage: ScopedRoutes<UsageScope, UsageServices> = (app, path, scope, services) => {
  registerSummary(app, path, scope, services)
  registerBreakdown(app, `${path}/breakdown`, scope, services)
  registerRequests(app, `${path}/requests`, scope, services)
  registerExport(app, `${path}/export`, scope, services)
  registerHealth(app, `${path}/health`, scope, services)
}

const registerSummary: ScopedRoutes<UsageScope, UsageServices> = (app, path, scope, services) => {
  const schema = {
    params: Type.Object(scope.params),
    querystring: requestObject(usageQuery),
    response: { 200: Type.Object({ range_days: Type.Integer(), ...totalFields, ...marginsIn(scope) }) },
  }
  app.get(path, { schema }, async (request) => {
    const range = await usageRange(request.query, await ownerOf(scope, request), services)
    const found = await services.usage.summary(range.filter)
    return { range_days: range.days, ...totals(found), ...marginsOf(found, scope) }
  })
}

const registerBreakdown: ScopedRoutes<UsageScope, UsageServices> = (app, path, scope, services) => {
  const by = Type.Array(dimension, { minItems: 1, maxItems: maxDimensions })
  const row = Type.Object({
    group: Type.Union([group, Type.Array(group, { minItems: maxDimensions, maxItems: maxDimensions })], {
      description:
        'The value of `by`, or a list of both if there are two. Null: none, such as for untagged requests.',
    }),
    ...totalFields,
    ...marginsIn(scope),
    ...saved,
  })
  const others = Type.Object(
    { ...totalFields, ...marginsIn(scope), ...saved },
    { description: 'Total of all groups after this page; null if there are none.' },
  )
  const groupPage = {
    limit: limitParameter(defaultGroups, maxUsageGroups),
    cursor: cursorParameter(maxCursorLength),
  }
  const schema = {
    params: Type.Object(scope.params),
    querystring: requestObject({ ...usageQuery, by, ...groupPage }),
    response: {
      200: Type.Object({
        ...listOf(row).properties,
        others: nullable(others),
        range_days: Type.Integer(),
        by,
      }),
    },
  }
  app.get(path, { schema }, async (request) => {
    const { by: dimensions, limit, cursor, ...query } = request.query
    if (new Set(dimensions).size < dimensions.length)
      throw invalidRequest('by', '`by`: expected two different groupings.')
    const range = await usageRange(query, await ownerOf(scope, request), services)
    const page = { limit: limit ?? defaultGroups, ...(cursor && { cursor }) }
    const found = await services.usage.breakdown(range.filter, dimensions, page)
    const sums = (of: UsageTotals) => ({
      ...totals(of),
      ...(dimensions.includes('tier') && {
        total_saved_usd: formatUsd(of.totalBaselinePico - of.totalCostPico),
      }),
      ...marginsOf(of, scope),
    })
    return {
      ...listAnswer(found, (row) => ({ group: groupOf(row), ...sums(row) })),
      others: found.others && sums(found.others),
      range_days: range.days,
      by: dimensions,
    }
  })
}

const registerRequests: ScopedRoutes<UsageScope, UsageServices> = (app, path, scope, services) => {
  const schema = {
    params: Type.Object(scope.params),
    querystring: requestObject({ ...usageQuery, ...pageQuery }),
    response: { 200: listOf(requestSchema) },
  }
  app.get(path, { schema }, async (request) => {
    const { limit, cursor, ...query } = request.query
    const { filter } = await usageRange(query, await ownerOf(scope, request), services)
    const page = pageOf({ ...(limit && { limit }), ...(cursor && { cursor }) })
    return listAnswer(await services.usage.requests(filter, page), requestRow)
  })

  const params = Type.Object({ ...scope.params, request_id: identifierOf('req') })
  app.get(
    `${path}/:request_id`,
    { schema: { params, response: { 200: requestDetailSchema } } },
    async (request) => {
      const { accountId, onlyOf } = await ownerOf(scope, request)
      const found = await services.usage.request(accountId, request.params.request_id, onlyOf)
      const record = requireFound(found, 'Request')
      const forOperator = scope.tells.markup
      const hasLog = !forOperator && (await services.promptLog?.has(record.accountId, record.id)) === true
      return requestDetail(record, { forOperator, hasLog })
    },
  )
}

const registerExport: ScopedRoutes<UsageScope, UsageServices> = (app, path, scope, services) => {
  const format = Type.Enum([...fileFormats])
  const schema = {
    params: Type.Object(scope.params),
    querystring: requestObject({ ...usageQuery, format }),
  }
  app.get(path, { schema }, async (request, reply) => {
    const { format, ...query } = request.query
    const { filter } = await usageRange(query, await ownerOf(scope, request), services)
    const file = await usageExport(services.usage, filter, format, (error) =>
      services.logger.error({ requestId: request.id, error }, 'A usage export was interrupted.'),
    )
    return sendFile(request, reply, file)
  })
}

/** Required if the scope shows margins, and otherwise not in the schema. */
function marginsIn({ tells }: UsageScope): TProperties {
  return tells.margins ? marginFields : {}
}

function marginsOf(found: UsageTotals, { tells }: UsageScope) {
  return tells.margins ? margins(found) : {}
}

function totals(found: UsageTotals) {
  return {
    total_requests: found.totalRequests,
    total_tokens_in: found.totalTokensIn,
    total_tokens_out: found.totalTokensOut,
    total_cost_usd: formatUsd(found.totalCostPico),
  }
}

function groupOf({ groups }: UsageGroup): string | null | (string | null)[] {
  const [first = null] = groups
  return groups.length > 1 ? groups : first
}
