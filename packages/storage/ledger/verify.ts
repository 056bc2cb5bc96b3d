import {
  ledgerAccountId,
  type LedgerDifference,
  type LedgerVerification,
  type Rated,
  type VerifyOptions,
} from '@turnpike/billing'
import type { RequestRecord } from '@turnpike/gateway'
import { sql } from 'kysely'
import { verifyBudgets } from '../budgets/verify.ts'
import type { Database } from '../database/database.ts'
import { requestsWithPrices, toRecord } from '../requests/request-row.ts'
import { verifyHealth } from '../health/verify-health.ts'
import { readHorizonMs } from '../retention/horizon.ts'
import type { Connection } from '../schema.ts'
import { verifyTopups } from '../topups/verify.ts'
import { verifyTotals, type Compare } from '../usage/verify-totals.ts'
import { VerificationPauses, VerificationStopped } from './verification-pauses.ts'
import { verifyPayers } from './verify-payers.ts'
import { debitedAccount, usageEntries } from './usage-entries.ts'
import { highSum, joinSum, lowSum } from '../database/wide-sum.ts'

/** The charge and the vendor cost of a request from its own usage, prices and markup. */
export type Recompute = (record: RequestRecord) => Rated

/** Differences beyond this are only counted, so that a broken ledger does not fill the memory too. */
const maxDifferences = 1_000
const accountsPage = 500
/** Rows per page. Each is recomputed, so pages are small, to keep the thread free for other work. */
const rowsPage = 200
/** Progress is reported after this many comparisons. */
const progressStep = 1_000

/** Findings of one verification; all pages add to them. */
interface Findings {
  checked: number
  differences: LedgerDifference[]
  unnamed: number
  options: VerifyOptions
}

/**
 * Recomputes, on one snapshot of the database: every cached balance from its transfers, every leased sum from
 * its leases, every charge against its transfer and vice versa, and the totals that usage figures are read
 * from. For requests that are no longer kept, it compares transfers with totals.
 */
export async function verifyLedger(
  database: Database,
  recompute: Recompute | undefined,
  options: VerifyOptions = {},
): Promise<LedgerVerification> {
  const findings: Findings = { checked: 0, differences: [], unnamed: 0, options }
  let stopped = false
  try {
    await verifyAll(database, recompute, findings)
  } catch (error) {
    if (!(error instanceof VerificationStopped)) throw error
    stopped = true
  }
  const { checked, differences, unnamed } = findings
  if (unnamed > 0) differences.push({ subject: 'further differences', expected: '0', found: String(unnamed) })
  return { ok: !stopped && differences.length === 0, checked, differences, ...(stopped && { stopped }) }
}

async function verifyAll(
  database: Database,
  recompute: Recompute | undefined,
  findings: Findings,
): Promise<void> {
  await database.snapshot(async (snapshot) => {
    const transaction = snapshot.withPlugin(new VerificationPauses(findings.options))
    await verifyBalances(transaction, findings)
    await verifyCharges(transaction, findings, recompute)
    const horizonMs = await readHorizonMs(transaction)
    await verifyTransfers(transaction, findings, horizonMs)
    const report: Compare = (...comparison) => compare(findings, ...comparison)
    await verifyTotals(transaction, horizonMs, report)
    await verifyHealth(transaction, report)
    await verifyTopups(transaction, report)
    await verifyPayers(transaction, report)
    await verifyBudgets(transaction, Date.now(), report)
  })
}

function compare<Value>(findings: Findings, subject: string, expected: Value, found: Value): void {
  findings.checked++
  const { signal, onProgress } = findings.options
  if (signal?.aborted === true) throw new VerificationStopped()
  if (findings.checked % progressStep === 0) onProgress?.(findings.checked)
  if (expected === found) return
  if (findings.differences.length < maxDifferences)
    findings.differences.push({ subject, expected: String(expected), found: String(found) })
  else findings.unnamed++
}

/** Compares customers' ledger accounts page by page, and sums the operator's, which have no balance. */
async function verifyBalances(transaction: Connection, findings: Findings): Promise<void> {
  let sumPico = await operatorsSum(transaction)
  let after = { accountId: '', id: '' }
  for (;;) {
    const page = await ledgerAccounts(transaction, after)
    const last = page[page.length - 1]
    if (last === undefined) break
    const sums = await transferSums(transaction, page)
    const leases = await leaseSums(transaction, page)
    for (const row of page) {
      compare(findings, `balance of ${row.id}`, sums.get(row.id) ?? 0n, row.balance_pico)
      if (row.key_id !== null)
        compare(findings, `leases of ${row.id}`, leases.get(row.key_id) ?? 0n, row.leased_pico)
      sumPico += row.balance_pico ?? 0n
    }
    after = { accountId: last.account_id, id: last.id }
  }
  compare(findings, 'sum over all ledger accounts', 0n, sumPico)
}

interface LedgerAccount {
  id: string
  account_id: string
  key_id: string | null
  balance_pico: bigint | null
  leased_pico: bigint
}

function ledgerAccounts(
  transaction: Connection,
  after: { accountId: string; id: string },
): Promise<LedgerAccount[]> {
  return transaction
    .selectFrom('ledger_accounts')
    .select(['id', 'key_id', 'balance_pico', 'leased_pico'])
    .select(sql<string>`account_id`.as('account_id'))
    .where(sql<boolean>`(account_id, id) > (${after.accountId}, ${after.id})`)
    .orderBy('account_id')
    .orderBy('id')
    .limit(accountsPage)
    .execute()
}

/** Credits minus debits of these ledger accounts, from entries that belong to their owners. */
async function transferSums(
  transaction: Connection,
  page: readonly LedgerAccount[],
): Promise<Map<string, bigint>> {
  const ids = page.map(({ id }) => id)
  const sums = new Map<string, bigint>()
  for (const side of ['credit_account', 'debit_account'] as const) {
    const rows = await transaction
      .selectFrom('ledger_transfers')
      .select([`${side} as id`, highSum('amount_pico').as('high'), lowSum('amount_pico').as('low')])
      .where('account_id', '>=', page[0]!.account_id)
      .where('account_id', '<=', page[page.length - 1]!.account_id)
      .where(side, 'in', ids)
      .groupBy(side)
      .execute()
    for (const row of rows) {
      const amountPico = side === 'credit_account' ? joinSum(row) : -joinSum(row)
      sums.set(row.id, (sums.get(row.id) ?? 0n) + amountPico)
    }
  }
  const charges = await usageEntries(transaction)
    .clearSelect()
    .select([debitedAccount.as('id'), highSum('charge_pico').as('high'), lowSum('charge_pico').as('low')])
    .where('account_id', '>=', page[0]!.account_id)
    .where('account_id', '<=', page[page.length - 1]!.account_id)
    .where(debitedAccount, 'in', ids)
    .groupBy(debitedAccount)
    .execute()
  for (const row of charges) sums.set(row.id, (sums.get(row.id) ?? 0n) - joinSum(row))
  return sums
}

async function operatorsSum(transaction: Connection): Promise<bigint> {
  let sumPico = 0n
  for (const side of ['credit_account', 'debit_account'] as const) {
    const row = await transaction
      .selectFrom('ledger_transfers')
      .select([highSum('amount_pico').as('high'), lowSum('amount_pico').as('low')])
      .where(side, 'not like', '%:%')
      .executeTakeFirstOrThrow()
    sumPico += side === 'credit_account' ? joinSum(row) : -joinSum(row)
  }
  const charges = await usageEntries(transaction)
    .clearSelect()
    .select([highSum('charge_pico').as('high'), lowSum('charge_pico').as('low')])
    .executeTakeFirstOrThrow()
  return sumPico + joinSum(charges)
}

/** The key whose credit is in a lease. */
const payerOfLease = sql<string>`coalesce(api_keys.draws_on, api_keys.id)`

async function leaseSums(
  transaction: Connection,
  page: readonly LedgerAccount[],
): Promise<Map<string, bigint>> {
  const keyIds = page.flatMap(({ key_id: keyId }) => keyId ?? [])
  if (keyIds.length === 0) return new Map()
  const rows = await transaction
    .selectFrom('leases')
    .innerJoin('api_keys', 'api_keys.id', 'leases.key_id')
    .select(payerOfLease.as('key_id'))
    .select([highSum('amount_pico').as('high'), lowSum('amount_pico').as('low')])
    .where((expression) =>
      expression.or([expression('api_keys.id', 'in', keyIds), expression('draws_on', 'in', keyIds)]),
    )
    .groupBy(payerOfLease)
    .execute()
  return new Map(rows.map((row) => [row.key_id, joinSum(row)]))
}

/**
 * Every charge must be in the ledger once: its row is the entry, or it has a transfer with that amount and
 * key. A key of its account must have paid it, and it must follow from its request's row.
 */
async function verifyCharges(
  transaction: Connection,
  findings: Findings,
  recompute: Recompute | undefined,
): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await requestsWithPrices(transaction)
      .leftJoin('ledger_transfers as transfer', (join) =>
        join.on('transfer.kind', '=', 'usage').on(sql<boolean>`transfer.reference = 'usage:' || requests.id`),
      )
      .leftJoin('ledger_accounts as debited', (join) => join.on('debited.id', '=', debitedAccount))
      .select([
        'transfer.amount_pico as posted_pico',
        'transfer.debit_account',
        'transfer.account_id as payer',
        'debited.account_id as debited',
      ])
      .where('requests.id', '>', after)
      .orderBy('requests.id')
      .limit(rowsPage)
      .execute()
    const last = rows[rows.length - 1]
    if (last === undefined) return
    for (const row of rows) {
      const isEntry = row.is_entry === 1n
      const foundPico = (isEntry ? row.charge_pico : 0n) + (row.posted_pico ?? 0n)
      compare(findings, `usage transfer of ${row.id}`, row.charge_pico, foundPico)
      if (isEntry) compare(findings, `account charged for ${row.id}`, row.account_id, row.debited)
      if (row.posted_pico === null) continue
      compare(
        findings,
        `payer of ${row.id}`,
        ledgerAccountId.key(row.paid_by ?? row.key_id),
        row.debit_account,
      )
      compare(findings, `account charged for ${row.id}`, row.account_id, row.payer)
    }
    if (recompute !== undefined)
      for (const record of rows.map(toRecord)) verifyRating(record, findings, recompute)
    after = last.id
  }
}

function verifyRating(record: RequestRecord, findings: Findings, recompute: Recompute): void {
  const { id, chargePico, vendorCostPico, ownCostPico, pricing } = record
  if (chargePico === 0n && pricing === null) return
  const rated = recompute(record)
  compare(findings, `charge of ${id}`, rated.chargePico, chargePico)
  if (vendorCostPico !== null) compare(findings, `vendor cost of ${id}`, rated.vendorCostPico, vendorCostPico)
  if (typeof ownCostPico === 'bigint')
    compare(findings, `own cost of ${id}`, rated.ownCostPico ?? 0n, ownCostPico)
}

/**
 * Every transfer must move the credit of its own account. Every usage transfer must have a request while
 * requests are kept; their amounts are compared by `verifyCharges`.
 */
async function verifyTransfers(
  transaction: Connection,
  findings: Findings,
  horizonMs: number,
): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await transaction
      .selectFrom('ledger_transfers')
      .leftJoin('requests', 'requests.id', 'ledger_transfers.request_id')
      .leftJoin('ledger_accounts as debited', 'debited.id', 'ledger_transfers.debit_account')
      .leftJoin('ledger_accounts as credited', 'credited.id', 'ledger_transfers.credit_account')
      .select([
        'ledger_transfers.id',
        'ledger_transfers.kind',
        'ledger_transfers.account_id',
        'ledger_transfers.created_at_ms',
        'requests.id as request',
        'debited.account_id as debited',
        'credited.account_id as credited',
      ])
      .where('ledger_transfers.id', '>', after)
      .orderBy('ledger_transfers.id')
      .limit(rowsPage)
      .execute()
    const last = rows[rows.length - 1]
    if (last === undefined) return
    for (const row of rows) {
      for (const owner of [row.debited, row.credited])
        if (owner !== null) compare(findings, `account of ${row.id}`, owner, row.account_id)
      if (row.kind === 'usage' && row.created_at_ms >= horizonMs)
        compare(findings, `request of ${row.id}`, true, row.request !== null)
    }
    after = last.id
  }
}
