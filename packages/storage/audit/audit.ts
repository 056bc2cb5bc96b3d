import {
  canonicalEmail,
  type AuditActor,
  type AuditEntryRead,
  type AuditFilter,
  type AuditPerson,
  type AuditStore,
} from '@turnpike/identity'
import { firstIdentifierAt } from '@turnpike/protocol'
import { sql, type Selectable } from 'kysely'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { Database } from '../database/database.ts'
import type { Connection } from '../schema.ts'
import type { AuditEntryTable } from './tables.ts'

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
          ...(entry.onBehalfOf !== undefined && { on_behalf_of: entry.onBehalfOf }),
        })
        .execute()
    },
    async list(filter, { limit, cursor }) {
      const subjects = filter.who === undefined ? undefined : await subjectsOf(database.read, filter.who)
      const rows = await matching(database.read, filter)
        .$if(subjects !== undefined, (query) => query.where('audit_entries.subject', 'in', subjects!))
        .$if(cursor !== undefined, (query) => query.where('request_id', '<', cursors.decode(cursor!)[0]))
        .orderBy('request_id', 'desc')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toEntry), limit, cursors, (row) => [row.requestId])
    },
  }
}

/** All subjects that the text may mean: itself, and those of accounts with that identifier or address. */
async function subjectsOf(connection: Connection, who: string): Promise<string[]> {
  const email = canonicalEmail(who)
  const rows = await connection
    .selectFrom('accounts')
    .select('subject')
    .where('subject', 'is not', null)
    .where((expression) =>
      expression.or([
        expression('id', '=', who),
        // Including unverified addresses: several accounts may have one, and each entry names its account.
        expression('email', '=', email),
      ]),
    )
    .execute()
  return [who, ...rows.map(({ subject }) => subject!)]
}

/** Request identifiers are ordered by time, so a time range is a range of identifiers. */
function matching(connection: Connection, filter: AuditFilter) {
  const { accountId, target, actor, subject, action, refused, fromMs, toMs } = filter
  return (
    connection
      .selectFrom('audit_entries')
      .leftJoin('accounts as actors', 'actors.subject', 'audit_entries.subject')
      .leftJoin('accounts as owners', 'owners.id', 'audit_entries.account_id')
      .selectAll('audit_entries')
      .select(['actors.id as by_id', 'actors.display_name as by_name', 'actors.email as by_email'])
      .select(['owners.id as of_id', 'owners.display_name as of_name', 'owners.email as of_email'])
      .select(['actors.email_verified as by_verified', 'owners.email_verified as of_verified'])
      .$if(accountId !== undefined, (query) => query.where('audit_entries.account_id', '=', accountId!))
      .$if(target !== undefined, (query) => query.where('target', '=', target!))
      .$if(actor !== undefined, (query) => query.where('actor', '=', actor!))
      .$if(subject !== undefined, (query) => query.where('audit_entries.subject', '=', subject!))
      // Worded like the partial index: with a parameter, the planner would not see that the index applies.
      .$if(refused === true, (query) => query.where(sql<boolean>`audit_entries.status >= 400`))
      .$if(refused === false, (query) => query.where(sql<boolean>`audit_entries.status < 400`))
      .$if(action !== undefined, (query) => query.where('action', '=', action!))
      .$if(fromMs !== undefined, (query) =>
        query.where('request_id', '>=', firstIdentifierAt('req', fromMs!)),
      )
      .$if(toMs !== undefined, (query) => query.where('request_id', '<', firstIdentifierAt('req', toMs!)))
  )
}

type EntryRow = Selectable<AuditEntryTable> &
  Record<`${'by' | 'of'}_${'id' | 'name' | 'email'}`, string | null> &
  Record<`${'by' | 'of'}_verified`, bigint | null>

function toEntry(row: EntryRow): AuditEntryRead {
  return {
    by: toPerson(row.by_id, row.by_name, row.by_email, row.by_verified),
    of: toPerson(row.of_id, row.of_name, row.of_email, row.of_verified),
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
    ...(row.on_behalf_of !== null && { onBehalfOf: row.on_behalf_of }),
  }
}

function toPerson(
  accountId: string | null,
  displayName: string | null,
  email: string | null,
  verified: bigint | null,
): AuditPerson | null {
  if (accountId === null) return null
  return { accountId, displayName, email, emailVerified: email !== null && verified === 1n }
}
