import { ledgerAccountId } from '@turnpike/billing'
import type { RefusedRecord, RequestRecord, RequestStore, WrittenRequests } from '@turnpike/gateway'
import { recordToPayload, recordsFromLines } from '@turnpike/gateway/record-payload'
import type { Kysely } from 'kysely'
import { bulkInsert, bulkUpdate, type BulkColumn, type BulkValue } from './bulk.ts'
import type { Database } from './database.ts'
import type { Engine } from './engine.ts'
import { isRefusedData } from './database-error.ts'
import { leaseStates } from './lease-states.ts'
import { lockLedger } from './ledger/key-credit.ts'
import { Posting } from './ledger/posting.ts'
import { priceColumns, priceValues, requestColumns, requestValues } from './request-row.ts'
import type { Schema } from './schema.ts'
import { inTransaction } from './transaction.ts'
import { TagSets } from './usage/tag-sets.ts'
import { tally } from './usage/tally.ts'
import { addToTotals, type StoredSets } from './usage/write-totals.ts'

export function requestStore(database: Pick<Database, 'engine' | 'write' | 'writeBatch'>): RequestStore {
  const { writeBatch: handOver } = database
  /** Price versions that are surely in the database. There are few: they change when a vendor's prices do. */
  const knownPrices = new Set<string>()
  const tagSets = new TagSets()
  const write = async (nodeId: string, records: readonly RequestRecord[]): Promise<Written> => {
    const first = records[0]
    if (first === undefined) return { refused: [], uncoveredPico: new Map() }
    try {
      const { uncoveredPico, newSets } = await inTransaction(database, (transaction) =>
        writeBatch(database.engine, transaction, nodeId, records, { knownPrices, tagSets }),
      )
      tagSets.markStored(newSets)
      for (const { priceVersion } of records) if (priceVersion !== null) knownPrices.add(priceVersion)
      return { refused: [], uncoveredPico }
    } catch (error) {
      if (!isRefusedData(error)) throw error
      if (records.length === 1) return { refused: [refusal(first, error)], uncoveredPico: new Map() }
      // One bad row must not keep all others' charges out for ever: halve until it stands alone.
      const middle = records.length >> 1
      const left = await write(nodeId, records.slice(0, middle))
      return joined(left, await write(nodeId, records.slice(middle)))
    }
  }
  const writeRecords: RequestStore['write'] = async (nodeId, given) => {
    const records = withoutRepeats(given)
    const written = await write(nodeId, records)
    const chargedPico = chargesByKey(records)
    // Read behind the transaction, so that a batch that was there already tells it, too.
    const leases = await leaseStates(database.write, nodeId, [...chargedPico.keys()])
    return { ...written, chargedPico, leases }
  }
  if (handOver !== undefined) {
    const lines = (records: readonly RequestRecord[]): Uint8Array<ArrayBuffer> =>
      new TextEncoder().encode(records.map(recordToPayload).join('\n'))
    return { write: (nodeId, records) => handOver(nodeId, lines(records)), writeLines: handOver }
  }
  return {
    write: writeRecords,
    writeLines: (nodeId, lines) => writeRecords(nodeId, recordsFromLines(lines)),
  }
}

type Written = Omit<WrittenRequests, 'chargedPico' | 'leases'>

function refusal(record: RequestRecord, error: unknown): RefusedRecord {
  return { record, message: error instanceof Error ? error.message : String(error) }
}

function joined(left: Written, right: Written): Written {
  const uncoveredPico = new Map(left.uncoveredPico)
  for (const [keyId, pico] of right.uncoveredPico)
    uncoveredPico.set(keyId, (uncoveredPico.get(keyId) ?? 0n) + pico)
  return { refused: [...left.refused, ...right.refused], uncoveredPico }
}

function withoutRepeats(records: readonly RequestRecord[]): readonly RequestRecord[] {
  const byId = new Map<string, RequestRecord>()
  for (const record of records) if (!byId.has(record.id)) byId.set(record.id, record)
  return byId.size === records.length ? records : [...byId.values()]
}

async function writeBatch(
  engine: Engine,
  transaction: Kysely<Schema>,
  nodeId: string,
  records: readonly RequestRecord[],
  { knownPrices, tagSets }: { knownPrices: ReadonlySet<string>; tagSets: TagSets },
): Promise<{ uncoveredPico: Map<string, bigint>; newSets: StoredSets }> {
  await bulkInsert(engine, transaction, {
    table: 'prices',
    columns: priceColumns,
    values: priceValues(records, knownPrices),
    ignoreConflicts: true,
  })
  const there = await bulkInsert(engine, transaction, {
    table: 'requests',
    columns: requestColumns,
    values: requestValues(records, tagSets),
    ignoreConflicts: true,
  })
  const fresh = there.length === 0 ? records : without(records, there)
  if (fresh.length === 0) return { uncoveredPico: new Map(), newSets: [] }
  const uncoveredPico = await charge(engine, transaction, nodeId, fresh)
  await markUsed(engine, transaction, fresh)
  // Last, so that other nodes wait for the rows that all of them change no longer than needed.
  const newSets = await addToTotals(engine, transaction, tally(fresh, tagSets), tagSets)
  return { uncoveredPico, newSets }
}

function without(records: readonly RequestRecord[], rows: readonly number[]): RequestRecord[] {
  const left = new Set(rows)
  return records.filter((_, row) => !left.has(row))
}

/** One `usage` transfer a charge; leases, leased sums and balances once a key. */
async function charge(
  engine: Engine,
  transaction: Kysely<Schema>,
  nodeId: string,
  records: readonly RequestRecord[],
): Promise<Map<string, bigint>> {
  const chargesPico = chargesByKey(records)
  const uncovered = new Map<string, bigint>()
  if (chargesPico.size === 0) return uncovered
  const keyIds = [...chargesPico.keys()]
  const locked = await lockLedger(engine, transaction, { keyIds })
  const posting = new Posting(locked, Date.now())
  for (const record of records) if (record.chargePico > 0n) postUsage(posting, record)
  const leases = await leasesOf(transaction, nodeId, keyIds)
  for (const [keyId, chargePico] of chargesPico) {
    const leasedPico = leases.get(keyId) ?? 0n
    const takenPico = leasedPico < chargePico ? leasedPico : chargePico
    if (takenPico > 0n) posting.changeLease(nodeId, keyId, -takenPico)
    if (takenPico < chargePico) uncovered.set(keyId, chargePico - takenPico)
    const key = locked.keys.get(keyId)
    if (key?.active === false) posting.settleRevoked(key, 'later')
  }
  await posting.post(engine, transaction)
  return uncovered
}

function chargesByKey(records: readonly RequestRecord[]): Map<string, bigint> {
  const chargesPico = new Map<string, bigint>()
  for (const { keyId, chargePico } of records)
    if (chargePico > 0n) chargesPico.set(keyId, (chargesPico.get(keyId) ?? 0n) + chargePico)
  return chargesPico
}

/** Dated as the request, so that the ledger's `usage` of any range is the usage summary's cost of it. */
function postUsage(posting: Posting, record: RequestRecord): void {
  posting.transfer({
    kind: 'usage',
    reference: `usage:${record.id}`,
    debitAccount: ledgerAccountId.key(record.keyId),
    creditAccount: ledgerAccountId.operator('revenue'),
    amountPico: record.chargePico,
    accountId: record.accountId,
    requestId: record.id,
    createdAtMs: record.startedAtMs,
  })
}

async function leasesOf(
  transaction: Kysely<Schema>,
  nodeId: string,
  keyIds: readonly string[],
): Promise<Map<string, bigint>> {
  const rows = await transaction
    .selectFrom('leases')
    .select(['key_id', 'amount_pico'])
    .where('node_id', '=', nodeId)
    .where('key_id', 'in', keyIds)
    .execute()
  return new Map(rows.map((row) => [row.key_id, row.amount_pico]))
}

const lastUsedColumns: BulkColumn[] = [
  { name: 'id', type: 'text' },
  { name: 'last_used_at_ms', type: 'bigint' },
]

async function markUsed(
  engine: Engine,
  transaction: Kysely<Schema>,
  records: readonly RequestRecord[],
): Promise<void> {
  const lastUsed = new Map<string, number>()
  for (const { keyId, startedAtMs } of records)
    if (startedAtMs > (lastUsed.get(keyId) ?? 0)) lastUsed.set(keyId, startedAtMs)
  const values: BulkValue[] = []
  for (const keyId of [...lastUsed.keys()].sort()) values.push(keyId, lastUsed.get(keyId)!)
  await bulkUpdate(engine, transaction, {
    table: 'api_keys',
    columns: lastUsedColumns,
    set: 'last_used_at_ms = :last_used_at_ms',
    where:
      'stored.id = :id AND (stored.last_used_at_ms IS NULL OR stored.last_used_at_ms < :last_used_at_ms)',
    values,
  })
}
