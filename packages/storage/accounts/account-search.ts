import { canonicalEmail, type AccountFilter } from '@turnpike/identity'
import { firstIdentifierAt } from '@turnpike/protocol'
import { sql, type RawBuilder } from 'kysely'
import type { Engine } from '../database/engine.ts'

interface Stretch {
  limit: number
  /** Returns only accounts after this one in the given order. */
  after: string | undefined
  order: 'asc' | 'desc'
}

/** Length of the shown prefix of a key: of a whole key only this much is compared. */
const keyPrefixLength = 16

/** A subquery with the identifiers of the accounts that match, in order. */
export function accountIds(engine: Engine, filter: AccountFilter, stretch: Stretch): RawBuilder<string> {
  const { search } = filter
  const conditions = [...conditionsOf(filter), ...behind(stretch)]
  const direction = sql.raw(stretch.order)
  const limit = sql.lit(stretch.limit)
  if (search === undefined)
    return sql`(select id from accounts where ${sql.join(conditions, sql` and `)}
      order by id ${direction} limit ${limit})`
  // The lookups run before the sort: otherwise a planner may walk all accounts to find a few.
  const found = sql.join(lookUps(engine, search), sql` union `)
  return sql`(with found as materialized (${found})
    select id from accounts where id in (select id from found) and ${sql.join(conditions, sql` and `)}
    order by id ${direction} limit ${limit})`
}

function conditionsOf({ status, kind, tier, operator, fromMs, toMs }: AccountFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [sql`1 = 1`]
  if (status !== undefined) conditions.push(sql`status = ${status}`)
  // Worded like the partial index: with a parameter, the planner would not see that the index applies.
  if (status !== undefined && status !== 'active') conditions.push(sql`status <> 'active'`)
  if (kind === 'person') conditions.push(sql`kind = 'person'`)
  // Organizations are few, and have a table of their own.
  if (kind === 'organization') conditions.push(sql`id in (select account_id from organizations)`)
  if (tier !== undefined) conditions.push(sql`tier = ${tier}`)
  if (operator !== undefined) conditions.push(operator ? sql`operator = 1` : sql`operator = 0`)
  if (fromMs !== undefined) conditions.push(sql`id >= ${firstIdentifierAt('acct', fromMs)}`)
  if (toMs !== undefined) conditions.push(sql`id < ${firstIdentifierAt('acct', toMs)}`)
  return conditions
}

function behind({ after, order }: Stretch): RawBuilder<unknown>[] {
  if (after === undefined) return []
  return [order === 'asc' ? sql`id > ${after}` : sql`id < ${after}`]
}

/** One query per index; together they find all accounts that the text may refer to. */
function lookUps(engine: Engine, search: string): RawBuilder<unknown>[] {
  const text = search.trim()
  if (text.startsWith('key_')) return [sql`select account_id as id from api_keys where id = ${text}`]
  if (text.startsWith('req_')) return [sql`select account_id as id from requests where id = ${text}`]
  if (text.startsWith('sk-turnpike-')) {
    const prefix = text.slice(0, keyPrefixLength)
    return [sql`select account_id as id from api_keys where ${beginsWith(sql`key_prefix`, prefix)}`]
  }
  const small = lowerAscii(text)
  const column = (name: string): RawBuilder<unknown> => sql.ref(name)
  const address = canonicalEmail(text)
  const domain = partBehind(engine, column('email'), '@')
  if (text.startsWith('@'))
    return [sql`select id from accounts where ${beginsWith(domain, address.slice(1))}`]
  const lastName = sql`lower(${partBehind(engine, column('display_name'), ' ')})`
  return [
    sql`select id from accounts where id = ${text}`,
    sql`select id from accounts where subject = ${text}`,
    sql`select id from accounts where ${beginsWith(column('email'), address)}`,
    sql`select id from accounts where ${beginsWith(sql`lower(display_name)`, small)}`,
    sql`select id from accounts where ${beginsWith(lastName, small)}`,
  ]
}

/** The expression that migration 24 indexes. */
function partBehind(engine: Engine, column: RawBuilder<unknown>, text: '@' | ' '): RawBuilder<unknown> {
  const position = sql.raw(engine === 'postgres' ? 'strpos' : 'instr')
  return sql`substr(${column}, ${position}(${column}, ${sql.lit(text)}) + 1)`
}

/** A range, which both engines can serve from an index because columns are ordered by bytes. */
function beginsWith(column: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  return sql`${column} >= ${text} and ${column} < ${`${text}\u{10ffff}`}`
}

/** Lowercases ASCII only, as both engines' `lower` does if texts are ordered by bytes. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
