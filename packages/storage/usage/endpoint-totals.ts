import type { UsageDimension, UsageFilter } from '@turnpike/gateway'
import { endpoints, operationByEndpoint, type Endpoint, type Operation } from '@turnpike/protocol'
import { sql, type RawBuilder } from 'kysely'
import { endpointOfRest } from './tally.ts'
import { amountNames } from './write-totals.ts'

/** The endpoints of an operation. */
function endpointsOf(operation: Operation): Endpoint[] {
  return endpoints.filter((endpoint) => operationByEndpoint[endpoint] === operation)
}

/** The endpoints that the filter selects; undefined: no restriction. */
export function endpointsIn({ endpoint, operation }: UsageFilter): Endpoint[] | undefined {
  if (operation === undefined) return endpoint === undefined ? undefined : [endpoint]
  return endpointsOf(operation).filter((one) => endpoint === undefined || one === endpoint)
}

/** Whether the filter selects only endpoints that have totals of their own. */
export function isOfOthers(filter: UsageFilter): boolean {
  return endpointsIn(filter)?.includes(endpointOfRest) === false
}

/** A list for SQL's `in`. An empty list becomes one with a name that no endpoint has. */
export function endpointList(listed: readonly Endpoint[]): RawBuilder<unknown> {
  return sql`(${sql.join(listed.length === 0 ? [''] : listed)})`
}

/** The operation of an endpoint; '' for an endpoint that this version does not know. */
export const operationColumn: RawBuilder<string> = sql`case endpoint ${sql.join(
  Object.entries(operationByEndpoint).map(
    ([endpoint, operation]) => sql`when ${sql.lit(endpoint)} then ${sql.lit(operation)}`,
  ),
  sql` `,
)} else '' end`

/**
 * The matching rows of totals as a table, with the column `endpoint` if it is needed. Callers that group them
 * must leave out groups without requests: negative rows subtract other endpoints from the rest.
 * @param matching the condition for any table, here named `totals`
 */
export function totalsByEndpoint(
  filter: UsageFilter,
  by: readonly UsageDimension[],
  { withTags, matching }: { withTags: boolean; matching: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const all = sql.table(withTags ? 'usage_tag_totals' : 'usage_totals')
  const others = sql.table(withTags ? 'usage_endpoint_tag_totals' : 'usage_endpoint_totals')
  const wanted = endpointsIn(filter)
  if (wanted === undefined && !by.includes('endpoint') && !by.includes('operation'))
    return sql`(select * from ${all} as totals ${matching})`
  const isWanted = wanted === undefined ? sql`` : sql`and totals.endpoint in ${endpointList(wanted)}`
  const ofOthers = sql`select * from ${others} as totals ${matching} ${isWanted}`
  if (isOfOthers(filter)) return sql`(${ofOthers})`
  const keys = sql.join(keyNames(withTags).map((name) => sql.ref(name)))
  const amounts = amountNames.map((name) => sql.ref(name))
  const taken = sql.join(amounts.map((amount) => sql`-${amount}`))
  const rest = sql`${sql.lit(endpointOfRest)} as endpoint`
  const columns = sql`${keys}, endpoint, ${sql.join(amounts)}`
  return sql`(
    select ${columns} from (${ofOthers}) as others
    union all select ${keys}, ${rest}, ${sql.join(amounts)} from ${all} as totals ${matching}
    union all select ${keys}, ${rest}, ${taken} from ${others} as totals ${matching}
  )`
}

function keyNames(withTags: boolean): string[] {
  const names = ['period', 'account_id', 'key_id', 'model', 'provider', 'tier', 'outcome']
  return withTags ? [...names, 'tag_set'] : names
}
