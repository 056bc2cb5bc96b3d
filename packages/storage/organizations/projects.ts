import { ProjectRefused, type Project, type ProjectStore } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import type { Selectable } from 'kysely'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { Database } from '../database/database.ts'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import type { ProjectTable } from './tables.ts'

export function projectStore(database: Database): ProjectStore {
  const { read, write } = database
  return {
    create: ({ accountId, name, most }, nowMs) =>
      inTransaction(database, async (transaction) => {
        await lockAccount(transaction, accountId)
        const { count } = await transaction
          .selectFrom('projects')
          .select((expression) => expression.fn.countAll().as('count'))
          .where('account_id', '=', accountId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= most) throw new ProjectRefused('too-many')
        await requireName(transaction, accountId, name)
        const row = await transaction
          .insertInto('projects')
          .values({
            id: newIdentifier('prj', nowMs),
            account_id: accountId,
            name,
            created_at_ms: nowMs,
            archived_at_ms: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        return toProject(row)
      }),
    find: (accountId, projectId) => find(write, accountId, projectId),
    async list(accountId, { limit, cursor }) {
      const cursors = cursorsOf(`projects:${accountId}`, ['text'])
      const rows = await read
        .selectFrom('projects')
        .selectAll()
        .where('account_id', '=', accountId)
        .$if(cursor !== undefined, (query) => query.where('id', '>', cursors.decode(cursor!)[0]))
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toProject), limit, cursors, (row) => [row.id])
    },
    rename: (accountId, projectId, name) =>
      inTransaction(database, async (transaction) => {
        await lockAccount(transaction, accountId)
        const project = await find(transaction, accountId, projectId)
        if (project === undefined) throw new ProjectRefused('unknown')
        if (project.name === name) return project
        if (project.archivedAtMs === null) await requireName(transaction, accountId, name)
        await transaction.updateTable('projects').set({ name }).where('id', '=', projectId).execute()
        return { ...project, name }
      }),
    archive: (accountId, projectId, nowMs) =>
      inTransaction(database, async (transaction) => {
        const project = await find(transaction, accountId, projectId)
        if (project === undefined) throw new ProjectRefused('unknown')
        if (project.archivedAtMs !== null) return project
        await transaction
          .updateTable('projects')
          .set({ archived_at_ms: nowMs })
          .where('account_id', '=', accountId)
          .where('id', '=', projectId)
          .where('archived_at_ms', 'is', null)
          .execute()
        return (await find(transaction, accountId, projectId))!
      }),
  }
}

/** So that two projects of one name cannot be created at once. */
async function lockAccount(transaction: Connection, accountId: string): Promise<void> {
  await transaction
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forNoKeyUpdate())
    .execute()
}

async function requireName(transaction: Connection, accountId: string, name: string): Promise<void> {
  const taken = await transaction
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .where('archived_at_ms', 'is', null)
    .executeTakeFirst()
  if (taken !== undefined) throw new ProjectRefused('name-taken')
}

async function find(
  connection: Connection,
  accountId: string,
  projectId: string,
): Promise<Project | undefined> {
  const row = await connection
    .selectFrom('projects')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .executeTakeFirst()
  return row && toProject(row)
}

function toProject(row: Selectable<ProjectTable>): Project {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    createdAtMs: Number(row.created_at_ms),
    archivedAtMs: row.archived_at_ms === null ? null : Number(row.archived_at_ms),
  }
}
