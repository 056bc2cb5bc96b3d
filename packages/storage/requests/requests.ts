import { ledgerAccountId } from '@turnpike/billing'
import type { RefusedRecord, RequestStore, WrittenRequests } from '@turnpike/gateway'
import {
  lineRecordToRecord,
  recordsFromLines,
  recordToLine,
  type LineRecord,
} from '@turnpike/gateway/record-line'
import { recordToPayload } from '@turnpike/gateway/record-payload'
import { firstIdentifierAt } from '@turnpike/protocol'
import { budgetLeaseStates } from '../budgets/leases.ts'
import type { ChangedIds } from '../database/changed-ids.ts'
import { accountsWithBudgets, addToBudgets } from '../budgets/count.ts'
import { chargesByBudgetLease, takeOffBudgetLeases } from '../budgets/charged-leases.ts'
import { bulkInsert, bulkUpdate, type BulkColumn, type BulkValue } from '../database/bulk.ts'
import type { Database } from '../database/database.ts'
import { isRefusedData, RefusedRow } from '../database/database-error.ts'
import { addToAttempts } from '../attempts/write-attempts.ts'
import { healthTally } from '../health/tally.ts'
import { addToHealth } from '../health/write-health.ts'
import { leaseStates } from '../leases/lease-states.ts'
import { recallOverdrawn } from '../ledger/account-credit.ts'
import { lockLedger, type LockedLedger } from '../ledger/key-credit.ts'
import { Posting } from '../ledger/posting.ts'
import { findPosted } from '../ledger/usage-entries.ts'
import { readHorizonMs } from '../retention/horizon.ts'
import { groupRequests } from './request-groups.ts'
import { priceColumns, priceValues, requestColumns, requestValues } from './request-row.ts'
import type { Connection } from '../schema.ts'
import { storableRecord } from './storable-record.ts'
import { storableText } from '../database/storable-text.ts'
import { inTransaction } from '../database/transaction.ts'
import { TagSets } from '../usage/tag-sets.ts'
import { tallyGroup } from '../usage/tally.ts'
import { addToTotals, type StoredSets } from '../usage/write-totals.ts'

/**
 * Rows per batch for SQLite, where one connection writes for everybody. A batch takes 1 ms besides its rows,
 * and writes pages that all batches change: with 500 rows, a request takes 2 % more CPU. With 1,000 it takes
 * 10 ms.
 */
const handedOverRows = 1_000

/** @param changed collects budgets that were added to, and accounts that were charged */
export function requestStore(
  database: Pick<Database, 'write' | 'writeBatch'>,
  changed?: { budgets: ChangedIds; credit: ChangedIds },
): RequestStore {
  const note = ({ countedBudgets, chargedAccounts }: WrittenRequests): void => {
    changed?.budgets.note(countedBudgets)
    changed?.credit.note(chargedAccounts)
  }
  const { writeBatch: handOver } = database
  const store = new RequestRows(database)
  const writeLines: RequestStore['writeLines'] = async (nodeId, lines) => {
    const written = await (handOver === undefined ? store.writeLines(nodeId, lines) : handOver(nodeId, lines))
    note(written)
    return written
  }
  return {
    ...(handOver !== undefined && { batchRows: handedOverRows }),
    write: (nodeId, records) =>
      writeLines(nodeId, new TextEncoder().encode(records.map(recordToLine).join('\n'))),
    writeLines,
  }
}

type Written = Omit<WrittenRequests, 'chargedPico' | 'leases'>

const nothingWritten: Written = {
  refused: [],
  uncoveredPico: new Map(),
  overdrawn: [],
  countedBudgets: [],
  chargedAccounts: [],
}

/** Writes batches of records. A record that cannot be stored does not keep the others out. */
class RequestRows {
  readonly #database: Pick<Database, 'write'>
  /** Price versions that are known to be stored. There are few: they change with a vendor's prices. */
  readonly #knownPrices = new Set<string>()
  readonly #tagSets = new TagSets()

  constructor(database: Pick<Database, 'write'>) {
    this.#database = database
  }

  async writeLines(nodeId: string, lines: Uint8Array): Promise<WrittenRequests> {
    const { records, unreadable } = recordsFromLines(lines)
    const { rows, refused } = storable(records, this.#tagSets)
    const written = await this.#write(nodeId, rows)
    const reported = records.filter(hasReportableCharge)
    const chargedPico = chargesByKey(reported)
    const chargedBudgets = chargesByBudgetLease(reported)
    // Read after the transaction, so that a batch that was stored before is reported too.
    const leases = await leaseStates(this.#database.write, nodeId, [...chargedPico.keys()])
    const ofBudgets = await budgetLeaseStates(this.#database.write, nodeId, [...chargedBudgets.keys()])
    for (const [leaseId, lease] of ofBudgets) leases.set(leaseId, lease)
    for (const [leaseId, pico] of chargedBudgets) chargedPico.set(leaseId, pico)
    return { ...written, refused: [...unreadable, ...refused, ...written.refused], chargedPico, leases }
  }

  async #write(nodeId: string, rows: readonly Row[]): Promise<Written> {
    const first = rows[0]
    if (first === undefined) return nothingWritten
    const [knownPrices, tagSets] = [this.#knownPrices, this.#tagSets]
    try {
      const { newSets, ...written } = await inTransaction(this.#database, (transaction) =>
        writeBatch(transaction, nodeId, rows, { knownPrices, tagSets }),
      )
      tagSets.markStored(newSets)
      for (const {
        record: { priceVersion },
      } of rows)
        if (priceVersion !== null) knownPrices.add(priceVersion)
      return { refused: [], ...written }
    } catch (error) {
      if (!isRefusedData(error)) throw error
      if (rows.length === 1) return { ...nothingWritten, refused: [refusal(first.record, error)] }
      // One bad row must not keep the other charges out forever: halve the batch until the row is alone.
      const middle = rows.length >> 1
      const left = await this.#write(nodeId, rows.slice(0, middle))
      return mergeWritten(left, await this.#write(nodeId, rows.slice(middle)))
    }
  }
}

/** A record that can be stored, with the values of its row. */
interface Row {
  record: LineRecord
  /** The name of its set of tags. */
  tagSet: string
  values: BulkValue[]
}

/** The values of all rows, one after the other. With `push`, because `flatMap` takes four times as long. */
function valuesOf(rows: readonly Row[]): BulkValue[] {
  const all: BulkValue[] = []
  for (const { values } of rows) for (const value of values) all.push(value)
  return all
}

/** Whatever may fail because of a record's content fails here, before the database is queried. */
function storable(
  records: readonly LineRecord[],
  tagSets: TagSets,
): { rows: Row[]; refused: RefusedRecord[] } {
  const rows: Row[] = []
  const refused: RefusedRecord[] = []
  for (const one of records) {
    try {
      const record = storableRecord(one)
      const tagSet = tagSets.idOf(record.tags)
      rows.push({ record, tagSet, values: requestValues(record, tagSet) })
    } catch (error) {
      refused.push(refusal(one, error))
    }
  }
  return { rows, refused }
}

function refusal(record: LineRecord, error: unknown): RefusedRecord {
  const message = error instanceof Error ? error.message : String(error)
  const requestId = typeof record.id === 'string' ? record.id : null
  return { payload: payloadOf(record), requestId, message }
}

function payloadOf(record: LineRecord): string {
  try {
    return recordToPayload(lineRecordToRecord(record))
  } catch {
    // The usage or the pricing is not JSON, and not needed for the charge.
    return recordToPayload(lineRecordToRecord({ ...record, usageJson: null, pricingJson: null }))
  }
}

function mergeWritten(left: Written, right: Written): Written {
  const uncoveredPico = new Map(left.uncoveredPico)
  for (const [keyId, pico] of right.uncoveredPico)
    uncoveredPico.set(keyId, (uncoveredPico.get(keyId) ?? 0n) + pico)
  return {
    refused: [...left.refused, ...right.refused],
    uncoveredPico,
    overdrawn: [...new Set([...left.overdrawn, ...right.overdrawn])],
    countedBudgets: [...new Set([...left.countedBudgets, ...right.countedBudgets])],
    chargedAccounts: [...new Set([...left.chargedAccounts, ...right.chargedAccounts])],
  }
}

async function writeBatch(
  transaction: Connection,
  nodeId: string,
  rows: readonly Row[],
  { knownPrices, tagSets }: { knownPrices: ReadonlySet<string>; tagSets: TagSets },
): Promise<Omit<Written, 'refused'> & { newSets: StoredSets }> {
  const records = rows.map(({ record }) => record)
  const accountIds = await accountsWithBudgets(transaction, records)
  await bulkInsert(transaction, {
    table: 'prices',
    columns: priceColumns,
    values: priceValues(records, knownPrices),
    ignoreConflicts: true,
  })
  const there = await bulkInsert(transaction, {
    table: 'requests',
    columns: requestColumns,
    values: valuesOf(rows),
    ignoreConflicts: true,
  })
  const freshRows = there.length === 0 ? rows : without(rows, there)
  if (freshRows.length === 0) return { ...nothingWritten, newSets: [] }
  const fresh = freshRows.map(({ record }) => record)
  await refuseCharged(transaction, fresh)
  const groups = groupRequests(freshRows)
  const charged = await charge(transaction, nodeId, fresh)
  await markUsed(transaction, fresh)
  // These come last, because they lock rows that all nodes change.
  const newSets = await addToTotals(transaction, groups.map(tallyGroup), tagSets)
  await addToHealth(transaction, healthTally(groups))
  await addToAttempts(transaction, nodeId, groups)
  const countedBudgets = await addToBudgets(transaction, accountIds, groups)
  await takeOffBudgetLeases(transaction, nodeId, fresh)
  return { ...charged, countedBudgets, newSets }
}

/**
 * Refuses records whose rows retention has deleted: their charges are still in the ledger. Retention moves
 * its horizon before it deletes, so no clocks are compared.
 * @throws {RefusedRow}
 */
async function refuseCharged(transaction: Connection, records: readonly LineRecord[]): Promise<void> {
  const end = firstIdentifierAt('req', await readHorizonMs(transaction))
  const old = records.filter(({ id, chargePico }) => id < end && chargePico > 0n)
  if (old.length === 0) return
  const [first] = await findPosted(
    transaction,
    old.map(({ id }) => id),
  )
  if (first !== undefined) throw new RefusedRow(`the ledger has the charge of ${first} already`)
}

function without(rows: readonly Row[], there: readonly number[]): Row[] {
  const left = new Set(there)
  return rows.filter((_, row) => !left.has(row))
}

type Charged = Pick<Written, 'uncoveredPico' | 'overdrawn' | 'chargedAccounts'>

/** Updates leases, leased sums and balances, once per key. The entry of a charge is its row. */
async function charge(
  transaction: Connection,
  nodeId: string,
  records: readonly LineRecord[],
): Promise<Charged> {
  const chargesPico = chargesByKey(records)
  const uncoveredPico = new Map<string, bigint>()
  const owing = new Set<string>()
  if (chargesPico.size === 0) return { uncoveredPico, overdrawn: [], chargedAccounts: [] }
  const keyIds = [...chargesPico.keys()]
  const locked = await lockLedger(transaction, { keyIds })
  const posting = new Posting(locked, Date.now())
  for (const [keyId, chargePico] of chargesPico)
    posting.charge(ledgerAccountId.key(payerOf(locked, keyId)), chargePico)
  const leases = await leasesOf(transaction, nodeId, keyIds)
  for (const [keyId, chargePico] of chargesPico) {
    const leasedPico = leases.get(keyId) ?? 0n
    const takenPico = leasedPico < chargePico ? leasedPico : chargePico
    if (takenPico > 0n) posting.changeLease(nodeId, keyId, -takenPico)
    const key = locked.keys.get(keyId)
    if (takenPico < chargePico) {
      uncoveredPico.set(keyId, chargePico - takenPico)
      if (key !== undefined) owing.add(key.accountId)
    }
  }
  posting.settleRetired(keyIds)
  await posting.post(transaction)
  await markPayers(transaction, locked, records)
  const charged = records.filter(({ chargePico }) => chargePico > 0n)
  const chargedAccounts = [...new Set(charged.map(({ accountId }) => accountId))]
  const overdrawn = await recallOverdrawn(transaction, [...owing])
  return { uncoveredPico, overdrawn, chargedAccounts }
}

function chargesByKey(records: readonly LineRecord[]): Map<string, bigint> {
  const chargesPico = new Map<string, bigint>()
  for (const { keyId, chargePico } of records)
    if (chargePico > 0n) chargesPico.set(keyId, (chargesPico.get(keyId) ?? 0n) + chargePico)
  return chargesPico
}

/** Whether a charge can be reported to the node. Refused records count: their holds have ended too. */
function hasReportableCharge({ keyId, chargePico }: LineRecord): boolean {
  return typeof chargePico === 'bigint' && typeof keyId === 'string' && storableText(keyId) === keyId
}

function payerOf(locked: LockedLedger, keyId: string): string {
  return locked.keys.get(keyId)?.payerId ?? keyId
}

const paidByColumns: BulkColumn[] = [
  { name: 'id', type: 'text' },
  { name: 'paid_by', type: 'text' },
]

/** Stores the paying key in rows of requests that another key has paid for. */
async function markPayers(
  transaction: Connection,
  locked: LockedLedger,
  records: readonly LineRecord[],
): Promise<void> {
  const values: BulkValue[] = []
  for (const { id, keyId, chargePico } of records) {
    const payerId = payerOf(locked, keyId)
    if (payerId !== keyId && chargePico > 0n) values.push(id, payerId)
  }
  await bulkUpdate(transaction, {
    table: 'requests',
    columns: paidByColumns,
    set: 'paid_by = :paid_by',
    where: 'stored.id = :id',
    values,
  })
}

async function leasesOf(
  transaction: Connection,
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

async function markUsed(transaction: Connection, records: readonly LineRecord[]): Promise<void> {
  const lastUsed = new Map<string, number>()
  for (const { keyId, startedAtMs } of records)
    if (startedAtMs > (lastUsed.get(keyId) ?? 0)) lastUsed.set(keyId, startedAtMs)
  const values: BulkValue[] = []
  for (const keyId of [...lastUsed.keys()].sort()) values.push(keyId, lastUsed.get(keyId)!)
  await bulkUpdate(transaction, {
    table: 'api_keys',
    columns: lastUsedColumns,
    set: 'last_used_at_ms = :last_used_at_ms',
    where:
      'stored.id = :id AND (stored.last_used_at_ms IS NULL OR stored.last_used_at_ms < :last_used_at_ms)',
    values,
  })
}
