import type { AuditActor, AuditEntry, AuditFilter, AuditStore } from '@turnpike/identity'
import { firstIdentifierAt } from '@turnpike/protocol'
import type { Kysely, Selectable } from 'kysely'
import { cursorsOf, pageOf } from '../cursor.ts'
import type { Database } from '../database.ts'
import type { AuditEntryTable, Schema } from '../schema.ts'

const cursors = cursorsOf('audit', ['text'])

export function auditStore(database: Database): AuditStore {
  return {
    async append(entry) {
      await database.write
        .insertInto('audit_entries')
        .values({
          request_id: entry.requestId,
          at_ms: entry.atMs,
          actor: entry.actor,
          subject: entry.subject,
          action: entry.action,
          account_id: entry.accountId,
          target: entry.target,
          status: entry.status,
          details: entry.details,
          address: entry.address,
        })
        .execute()
    },
    async list(filter, { limit, cursor }) {
      const rows = await matching(database.read, filter)
        .$if(cursor !== undefined, (query) => query.where('request_id', '<', cursors.decode(cursor!)[0]))
        .orderBy('request_id', 'desc')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toEntry), limit, cursors, (row) => [row.requestId])
    },
  }
}

/** Identifiers of requests are ordered by time, so that a range of time is one of identifiers. */
function matching(connection: Kysely<Schema>, filter: AuditFilter) {
  const { accountId, target, actor, subject, action, fromMs, toMs } = filter
  return connection
    .selectFrom('audit_entries')
    .selectAll()
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .$if(target !== undefined, (query) => query.where('target', '=', target!))
    .$if(actor !== undefined, (query) => query.where('actor', '=', actor!))
    .$if(subject !== undefined, (query) => query.where('subject', '=', subject!))
    .$if(action !== undefined, (query) => query.where('action', '=', action!))
    .$if(fromMs !== undefined, (query) => query.where('request_id', '>=', firstIdentifierAt('req', fromMs!)))
    .$if(toMs !== undefined, (query) => query.where('request_id', '<', firstIdentifierAt('req', toMs!)))
}

function toEntry(row: Selectable<AuditEntryTable>): AuditEntry {
  return {
    requestId: row.request_id,
    atMs: Number(row.at_ms),
    actor: row.actor as AuditActor,
    subject: row.subject,
    action: row.action,
    accountId: row.account_id,
    target: row.target,
    status: Number(row.status),
    details: row.details,
    address: row.address,
  }
}
