import { createHash } from 'node:crypto'
import {
  areSomeMended,
  differenceIdentity,
  newDifferences,
  type LedgerDifference,
  type VerificationRun,
  type VerificationState,
  type VerificationStore,
} from '@turnpike/billing'
import { firstIdentifierAt, newIdentifier } from '@turnpike/protocol'
import type { Selectable } from 'kysely'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { Database } from '../database/database.ts'
import { raise } from '../events/raise.ts'
import type { Connection, Schema } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'

const cursors = cursorsOf('ledger verifications', ['text'])
/** A running verification's node reports progress every few seconds. */
const silentMs = 60_000
const maxKept = 100

export function verificationStore(database: Database): VerificationStore {
  return {
    begin: (nodeId, nowMs, behind) =>
      inTransaction(database, (transaction) => begin(transaction, nodeId, nowMs, behind)),
    endSilent: (nowMs) => endSilent(database.write, nowMs),
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
        await notifyOperators(transaction, { id, checked, differences }, nowMs)
      }),
    note: (nodeId, { checked, differences }, startedAtMs, nowMs) =>
      inTransaction(database, async (transaction) => {
        const last = await newest(transaction, 'finished')
        // A run that found nothing is not stored if the one before found nothing either.
        if (differences.length === 0 && (last?.differences ?? []).length === 0) return
        const earlier = await otherRuns(transaction, '')
        if (newDifferences(differences, earlier).length === 0 && !areSomeMended(differences, earlier)) return
        const id = newIdentifier('ver', nowMs)
        const found = { checked, differences: JSON.stringify(differences) }
        const row = { ...newRow(id, nodeId, startedAtMs), ...found, ...atEnd(nowMs), state: 'finished' }
        await transaction.insertInto('ledger_verifications').values(row).execute()
        await dropOld(transaction)
        await notifyOperators(transaction, { id, checked, differences }, nowMs)
      }),
    newest: (state) => newest(database.read, state),
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

/** Sets the end to the time of the last report, not to the time at which the silence was noticed. */
async function endSilent(connection: Connection, nowMs: number): Promise<void> {
  await connection
    .updateTable('ledger_verifications')
    .set((row) => ({ state: 'stopped', finished_at_ms: row.ref('updated_at_ms') }))
    .where('state', '=', 'running')
    .where('updated_at_ms', '<', BigInt(nowMs - silentMs))
    .execute()
}

/** If nodes begin at once, one row is inserted: only one verification runs at a time. */
async function begin(
  transaction: Connection,
  nodeId: string,
  nowMs: number,
  behind?: string | null,
): Promise<{ run: VerificationRun; begun: boolean }> {
  await endSilent(transaction, nowMs)
  const id = newIdentifier('ver', nowMs)
  await transaction
    .insertInto('ledger_verifications')
    .values(newRow(id, nodeId, nowMs))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (behind !== undefined) {
    // Another node's may have ended since it was looked for. With the row above, no other can begin.
    const [other] = await otherRuns(transaction, id, 1)
    if (other !== undefined && other.id !== behind) {
      await transaction.deleteFrom('ledger_verifications').where('id', '=', id).execute()
      return { run: other, begun: false }
    }
  }
  // The run that was in the way may have ended by now.
  const run = (await newest(transaction, 'running')) ?? (await newest(transaction))
  await dropOld(transaction)
  return { run: run!, begun: run!.id === id }
}

function newRow(id: string, nodeId: string, startedAtMs: number) {
  return {
    id,
    node_id: nodeId,
    state: 'running',
    started_at_ms: startedAtMs,
    updated_at_ms: startedAtMs,
    finished_at_ms: null,
    checked: 0,
    differences: '[]',
  }
}

async function newest(
  connection: Connection,
  state?: VerificationState,
): Promise<VerificationRun | undefined> {
  const row = await connection
    .selectFrom('ledger_verifications')
    .selectAll()
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : toRun(row)
}

/** Newest first. */
async function otherRuns(connection: Connection, id: string, most = maxKept): Promise<VerificationRun[]> {
  const rows = await connection
    .selectFrom('ledger_verifications')
    .selectAll()
    .where('id', '<>', id)
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return rows.map(toRun)
}

/** Notifies operators of each difference once, however often it is found. */
async function notifyOperators(
  transaction: Connection,
  { id, checked, differences }: Pick<VerificationRun, 'id' | 'checked' | 'differences'>,
  nowMs: number,
): Promise<void> {
  if (differences.length === 0) return
  const earlier = await otherRuns(transaction, id)
  const unknown = newDifferences(differences, earlier)
  if (unknown.length === 0) return
  // If two nodes find the same at once, it is reported once.
  const last = earlier.find(({ state }) => state === 'finished')?.id ?? ''
  const identities = unknown.map(differenceIdentity).toSorted()
  const hash = createHash('sha256')
    .update(JSON.stringify([last, ...identities]))
    .digest('base64url')
  await raise(transaction, {
    type: 'ledger.difference',
    accountId: null,
    dedupeKey: `verify:${hash}`,
    occurredAtMs: nowMs,
    data: {
      object: 'ledger_verification',
      verification_id: id,
      checked,
      differences: differences.length,
      new_differences: unknown.length,
    },
  })
}

async function dropOld(transaction: Connection): Promise<void> {
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
