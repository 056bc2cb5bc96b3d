import type {
  LedgerDifference,
  VerificationRun,
  VerificationState,
  VerificationStore,
} from '@turnpike/billing'
import { firstIdentifierAt, newIdentifier } from '@turnpike/protocol'
import type { Kysely, Selectable } from 'kysely'
import { cursorsOf, pageOf } from '../cursor.ts'
import type { Database } from '../database.ts'
import { raise } from '../events/raise.ts'
import type { Schema } from '../schema.ts'
import { inTransaction } from '../transaction.ts'

const cursors = cursorsOf('ledger verifications', ['text'])
/** A node tells every few seconds that it goes on. */
const silentMs = 60_000
const maxKept = 100

export function verificationStore(database: Database): VerificationStore {
  return {
    begin: (nodeId, nowMs) => inTransaction(database, (transaction) => begin(transaction, nodeId, nowMs)),
    async advance(id, checked, nowMs) {
      await database.write
        .updateTable('ledger_verifications')
        .set({ checked, updated_at_ms: nowMs })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .execute()
    },
    end: (id, { state, checked, differences }, nowMs) =>
      inTransaction(database, async (transaction) => {
        await transaction
          .updateTable('ledger_verifications')
          .set({ state, checked, differences: JSON.stringify(differences), ...atEnd(nowMs) })
          .where('id', '=', id)
          .execute()
        if (differences.length === 0) return
        await raise(database.engine, transaction, {
          type: 'ledger.difference',
          accountId: null,
          dedupeKey: `verify:${id}`,
          occurredAtMs: nowMs,
          data: {
            object: 'ledger_verification',
            verification_id: id,
            checked,
            differences: differences.length,
          },
        })
      }),
    async find(id) {
      const row = await database.write
        .selectFrom('ledger_verifications')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row === undefined ? undefined : toRun(row)
    },
    async list({ fromMs, toMs }, { limit, cursor }) {
      const rows = await database.read
        .selectFrom('ledger_verifications')
        .selectAll()
        .$if(fromMs !== undefined, (query) => query.where('id', '>=', firstIdentifierAt('ver', fromMs!)))
        .$if(toMs !== undefined, (query) => query.where('id', '<', firstIdentifierAt('ver', toMs!)))
        .$if(cursor !== undefined, (query) => query.where('id', '<', cursors.decode(cursor!)[0]))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toRun), limit, cursors, ({ id }) => [id])
    },
  }
}

const atEnd = (nowMs: number) => ({ updated_at_ms: nowMs, finished_at_ms: nowMs })

/** Of nodes that begin at once, one row is taken: there is but one that runs. */
async function begin(
  transaction: Kysely<Schema>,
  nodeId: string,
  nowMs: number,
): Promise<{ run: VerificationRun; begun: boolean }> {
  await transaction
    .updateTable('ledger_verifications')
    .set({ state: 'stopped', ...atEnd(nowMs) })
    .where('state', '=', 'running')
    .where('updated_at_ms', '<', BigInt(nowMs - silentMs))
    .execute()
  const id = newIdentifier('ver', nowMs)
  const row = {
    id,
    node_id: nodeId,
    state: 'running',
    started_at_ms: nowMs,
    updated_at_ms: nowMs,
    finished_at_ms: null,
    checked: 0,
    differences: '[]',
  }
  await transaction
    .insertInto('ledger_verifications')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const running = await transaction
    .selectFrom('ledger_verifications')
    .selectAll()
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow()
  await dropOld(transaction)
  return { run: toRun(running), begun: running.id === id }
}

async function dropOld(transaction: Kysely<Schema>): Promise<void> {
  const oldest = await transaction
    .selectFrom('ledger_verifications')
    .select('id')
    .orderBy('id', 'desc')
    .offset(maxKept - 1)
    .limit(1)
    .executeTakeFirst()
  if (oldest === undefined) return
  await transaction
    .deleteFrom('ledger_verifications')
    .where('id', '<', oldest.id)
    .where('state', '<>', 'running')
    .execute()
}

function toRun(row: Selectable<Schema['ledger_verifications']>): VerificationRun {
  return {
    id: row.id,
    nodeId: row.node_id,
    state: row.state as VerificationState,
    startedAtMs: Number(row.started_at_ms),
    finishedAtMs: row.finished_at_ms === null ? null : Number(row.finished_at_ms),
    checked: Number(row.checked),
    differences: JSON.parse(row.differences) as LedgerDifference[],
  }
}
