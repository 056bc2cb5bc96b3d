import type { ProviderHealth, ProviderHealthStore } from '@turnpike/gateway'
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Connection } from '../schema.ts'
import { isInPeriods } from '../usage/filter.ts'
import { periodsOf } from '../usage/period.ts'
import { figuresOf, type ErrorRow, type SumsRow } from './health.ts'
import { healthNames } from './write-health.ts'

/** For the operator's whole installation, for pages that show the health of providers (decision 17). */
export function providerHealthStore({ read }: Pick<Database, 'read'>): ProviderHealthStore {
  return {
    async between({ fromMs, toMs }) {
      const matching = isWithinPeriods(read, periodsOf(fromMs, toMs, 'month'))
      // Errors are read first, so that a request counted in between is not an error without a request.
      const errors = await sql<ErrorRow & Place>`
        select model, provider, error_type, cast(sum(requests) as bigint) as requests
        from health_errors as totals where ${matching} group by 1, 2, 3 order by 4 desc, 3
      `.execute(read)
      const sumOf = (name: string) => sql`cast(sum(${sql.ref(name)}) as bigint) as ${sql.ref(name)}`
      const { rows } = await sql<SumsRow & Place>`
        select model, provider, cast(count(*) as bigint) as accounts,
          cast(max(requests) as bigint) as largest, ${sql.join(healthNames.map(sumOf))}
        from (
          select account_id, model, provider, ${sql.join(healthNames.map(sumOf))}
          from health_totals as totals where ${matching} group by 1, 2, 3
        ) as by_account group by 1, 2 order by 1, 2
      `.execute(read)
      const errorsByPlace = Map.groupBy(errors.rows, nameOf)
      return rows.map((row) => providerHealth(row, errorsByPlace.get(nameOf(row)) ?? []))
    },
  }
}

interface Place {
  model: string
  provider: string
  accounts: bigint
  largest: bigint
}

function nameOf({ model, provider }: Place): string {
  return `${provider}\n${model}`
}

function providerHealth(row: SumsRow & Place, errors: readonly ErrorRow[]): ProviderHealth {
  const { model, provider, accounts, largest } = row
  return {
    model,
    provider,
    accounts: Number(accounts),
    largestRequests: Number(largest),
    ...figuresOf(row, errors),
  }
}

/** Facet `model`, so that each request counts once. */
function isWithinPeriods(connection: Connection, periods: readonly string[]): RawBuilder<unknown> {
  const isListed = isInPeriods(connection, periods)
  return sql`${isListed} and totals.facet = 'model' and totals.model <> '' and totals.provider <> ''`
}
