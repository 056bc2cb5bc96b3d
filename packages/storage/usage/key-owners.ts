import { sql, type RawBuilder } from 'kysely'

/** Owners of keys: a member or a project. */
export interface KeyOwners {
  accountId?: string
  memberId?: string
  projectId?: string
}

/** Undefined: no restriction. */
export function keysOf({ accountId, memberId, projectId }: KeyOwners): RawBuilder<string> | undefined {
  if (memberId === undefined && projectId === undefined) return undefined
  const conditions: RawBuilder<unknown>[] = []
  if (accountId !== undefined) conditions.push(sql`account_id = ${accountId}`)
  if (memberId !== undefined) conditions.push(sql`member_id = ${memberId}`)
  if (projectId !== undefined) conditions.push(sql`project_id = ${projectId}`)
  return sql`(select id from api_keys where ${sql.join(conditions, sql` and `)})`
}

/** The owner of a total's key, which never changes. */
export function ownerOfKey(column: 'member_id' | 'project_id'): RawBuilder<string | null> {
  return sql`(select ${sql.ref(column)} from api_keys where api_keys.id = totals.key_id)`
}
