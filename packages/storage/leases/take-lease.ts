import { ledgerAccountId, type LeaseTaken, type PayerState } from '@turnpike/billing'
import { newIdentifier } from '@turnpike/protocol'
import { sql } from 'kysely'
import { TransactionConflict } from '../database/database-error.ts'
import { engineOf } from '../database/engine.ts'
import { creditOfAccounts, listLeasedKeys, type AccountCredit } from '../ledger/account-credit.ts'
import { lockLedger } from '../ledger/key-credit.ts'
import { Posting } from '../ledger/posting.ts'
import type { Connection } from '../schema.ts'
import { keysWithLeases } from './keys-with-leases.ts'
import { lockSpendLimit } from '../spending/spend-limit.ts'

export interface LeaseWish {
  nodeId: string
  keyId: string
  neededPico: bigint
  wantedPico: bigint
  startedAtMs: number
}

/** Other keys of the account whose idle credit may be recalled at once. */
const siblingsAtOnce = 20

/**
 * Takes a lease. It locks the rows of the key and of its account first, because the amount depends on the
 * free credit of both. The UPDATE checks the key's credit once more, so that a mistake in the locking cannot
 * lease credit that is not there. A revoked key has nothing free: its heir or its leases have it.
 */
export async function takeLease(transaction: Connection, wish: LeaseWish): Promise<LeaseTaken> {
  const { keyId, neededPico, wantedPico, startedAtMs } = wish
  const owner = await ownerOf(transaction, keyId)
  const before = owner === undefined ? undefined : await lockOwner(transaction, owner, wish)
  if (owner === undefined || before === undefined)
    return nothing({ balancePico: 0n, leasedPico: 0n, version: 0n, elsewherePico: 0n }, 0n)
  const there = await leaseOf(transaction, wish)
  const limit = await lockSpendLimit(transaction, keyId, startedAtMs)
  const account = (await creditOfAccounts(transaction, [owner.accountId])).get(owner.accountId)!
  const refused: LeaseTaken = {
    ...nothing(before, there),
    ...(limit !== undefined && { limit }),
    ...(owner.isRetired && { isRetired: true }),
    ...accountIfLess(account, freeOf(before)),
  }
  const isWithin = (limit === undefined || limit.roomPico >= neededPico) && account.freePico >= neededPico
  let freePico = freeOf(before)
  if (freePico < neededPico || !isWithin) {
    const successor = owner.payerId === keyId ? owner.successor : undefined
    if (successor === undefined || !isWithin || !(await takeFrom(transaction, successor, wish)))
      return {
        ...refused,
        ...(await whoElseHasSome(transaction, owner, refused, before.leasedPico)),
        ...(freePico < neededPico && { payer: await payerOf(transaction, owner, neededPico) }),
      }
    freePico = neededPico
  }
  const withinAccountPico = lesser(freePico, account.freePico)
  const spendablePico = limit === undefined ? withinAccountPico : lesser(withinAccountPico, limit.roomPico)
  const takenPico = lesser(wantedPico, neededPico + (spendablePico - neededPico) / 2n)
  const after = await addToAccount(transaction, owner, takenPico)
  if (after === undefined) return refused
  await addToLease(transaction, wish, takenPico)
  return {
    takenPico,
    lease: { pico: there + takenPico, version: after.version },
    freePico: freeOf(after),
    elsewherePico: before.elsewherePico,
    ...(limit !== undefined && { limit: { ...limit, roomPico: limit.roomPico - takenPico } }),
    ...(owner.isRetired && { isRetired: true }),
    ...accountIfLess(
      { freePico: account.freePico - takenPico, leasedPico: account.leasedPico + takenPico },
      freeOf(after),
    ),
  }
}

/** Reported only if debts of other keys leave less than the key itself has. */
function accountIfLess(account: AccountCredit, keysFreePico: bigint): Pick<LeaseTaken, 'account'> {
  return account.freePico < keysFreePico ? { account } : {}
}

/** Keys whose idle credit would help: of the same line and, if the account is short, of the account. */
async function whoElseHasSome(
  transaction: Connection,
  { accountId, keyId, payerId, successor }: Owner,
  { account, lease, elsewherePico }: LeaseTaken,
  payersLeasedPico: bigint,
): Promise<Pick<LeaseTaken, 'successor' | 'predecessors' | 'sharers' | 'account'>> {
  const sharedPico = payersLeasedPico - lease.pico - elsewherePico
  const line = {
    ...(successor === undefined
      ? { predecessors: await keysWithLeases(transaction, 'replaced_by', keyId) }
      : { successor }),
    ...(sharedPico > 0n && {
      sharers: { keyIds: await findLeasedSharers(transaction, payerId, keyId), leasedPico: sharedPico },
    }),
  }
  if (account === undefined || account.leasedPico === 0n) return line
  const keyIds = await listLeasedKeys(transaction, [accountId], siblingsAtOnce)
  return { ...line, account: { ...account, siblings: keyIds.filter((id) => id !== keyId) } }
}

/** The reason for a refusal: the account may have credit on a key that this key does not use. */
async function payerOf(
  transaction: Connection,
  { accountId, keyId, payerId }: Owner,
  neededPico: bigint,
): Promise<PayerState> {
  const { defaultId, richerId } = await transaction
    .selectFrom('api_keys')
    .innerJoin('ledger_accounts', 'ledger_accounts.key_id', 'api_keys.id')
    .select([
      sql<string | null>`min(api_keys.id)`.as('defaultId'),
      sql<string | null>`min(CASE WHEN balance_pico - leased_pico >= ${neededPico} THEN api_keys.id END)`.as(
        'richerId',
      ),
    ])
    .where('api_keys.account_id', '=', accountId)
    .where('status', '=', 'active')
    .where('replaced_by', 'is', null)
    .where('draws_on', 'is', null)
    .executeTakeFirstOrThrow()
  return {
    keyId: payerId,
    isDrawnOn: payerId !== keyId,
    isDefault: defaultId === payerId,
    ...(richerId !== null && { richerKeyId: richerId }),
  }
}

/** Keys that use the same credit and have leases of it, largest first. */
async function findLeasedSharers(transaction: Connection, payerId: string, keyId: string): Promise<string[]> {
  const rows = await transaction
    .selectFrom('leases')
    .innerJoin('api_keys', 'api_keys.id', 'leases.key_id')
    .select('key_id')
    .where((expression) =>
      expression.or([expression('id', '=', payerId), expression('draws_on', '=', payerId)]),
    )
    .where('key_id', '<>', keyId)
    .where('amount_pico', '>', 0n)
    .groupBy('key_id')
    .orderBy((expression) => expression.fn.max('amount_pico'), 'desc')
    .orderBy('key_id')
    .limit(siblingsAtOnce)
    .execute()
  return rows.map((row) => row.key_id)
}

interface Owner {
  keyId: string
  accountId: string
  /** The key itself, or the key that it draws on. */
  payerId: string
  /** The key that replaced this one, during its grace period. */
  successor: string | undefined
  /** Whether it was revoked or replaced, and so has no credit of its own. */
  isRetired: boolean
}

async function ownerOf(transaction: Connection, keyId: string): Promise<Owner | undefined> {
  const row = await transaction
    .selectFrom('api_keys')
    .select(['account_id', 'status', 'replaced_by', 'draws_on'])
    .where('id', '=', keyId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const isActive = row.status === 'active'
  return {
    keyId,
    accountId: row.account_id,
    payerId: row.draws_on ?? keyId,
    successor: (isActive ? row.replaced_by : null) ?? undefined,
    isRetired: !isActive || row.replaced_by !== null,
  }
}

function lesser(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}

/** Undefined if that much is not free. The version of a lease is that of its own key's ledger account. */
async function addToAccount(
  transaction: Connection,
  { keyId, payerId }: Owner,
  takenPico: bigint,
): Promise<AccountRow | undefined> {
  const row = await transaction
    .updateTable('ledger_accounts')
    .set((expression) => ({
      leased_pico: expression('leased_pico', '+', takenPico),
      version: expression('version', '+', 1n),
    }))
    .where('id', '=', ledgerAccountId.key(payerId))
    .where(sql<boolean>`balance_pico - leased_pico >= ${takenPico}`)
    .returning(['balance_pico', 'leased_pico', 'version'])
    .executeTakeFirst()
  if (row === undefined || payerId === keyId) return row === undefined ? undefined : toAccount(row)
  const own = await transaction
    .updateTable('ledger_accounts')
    .set((expression) => ({ version: expression('version', '+', 1n) }))
    .where('id', '=', ledgerAccountId.key(keyId))
    .returning('version')
    .executeTakeFirstOrThrow()
  return { ...toAccount(row), version: own.version }
}

interface AccountRow {
  balancePico: bigint
  leasedPico: bigint
  version: bigint
}

interface LockedAccount extends AccountRow {
  /** What other nodes have leased for the key. */
  elsewherePico: bigint
}

function freeOf({ balancePico, leasedPico }: AccountRow): bigint {
  return balancePico - leasedPico
}

function nothing(account: LockedAccount, there: bigint): LeaseTaken {
  return {
    takenPico: 0n,
    lease: { pico: there, version: account.version },
    freePico: freeOf(account),
    elsewherePico: account.elsewherePico,
  }
}

/**
 * Locks the key, its replacement and then the account, in the order of identifiers as everywhere. The
 * account's lock keeps its other keys from leasing credit meanwhile.
 */
async function lockOwner(
  transaction: Connection,
  { keyId, accountId, payerId, successor }: Owner,
  wish: LeaseWish,
): Promise<LockedAccount | undefined> {
  const [own, paying] = [ledgerAccountId.key(keyId), ledgerAccountId.key(payerId)]
  const keys = successor === undefined ? [own, paying] : [own, paying, ledgerAccountId.key(successor)]
  const rows = await transaction
    .selectFrom('ledger_accounts')
    .select(['id', 'balance_pico', 'leased_pico', 'version'])
    .where('id', 'in', [...keys, ledgerAccountId.unassigned(accountId)])
    .orderBy('id')
    .$if(engineOf(transaction) === 'postgres', (query) => query.forNoKeyUpdate())
    .execute()
  if (engineOf(transaction) === 'postgres' && (await ownerOf(transaction, keyId))?.payerId !== payerId)
    throw new TransactionConflict(`${keyId} draws on another key meanwhile`)
  const [row, payer] = [own, paying].map((account) => rows.find(({ id }) => id === account))
  if (row === undefined || payer === undefined) return undefined
  const elsewherePico = await sumLeasesElsewhere(transaction, wish)
  return { ...toAccount(payer), version: row.version, elsewherePico }
}

async function sumLeasesElsewhere(transaction: Connection, { nodeId, keyId }: LeaseWish): Promise<bigint> {
  const rows = await transaction
    .selectFrom('leases')
    .select('amount_pico')
    .where('key_id', '=', keyId)
    .where('node_id', '<>', nodeId)
    .execute()
  return rows.reduce((sum, row) => sum + row.amount_pico, 0n)
}

function toAccount(row: { balance_pico: bigint | null; leased_pico: bigint; version: bigint }): AccountRow {
  return { balancePico: row.balance_pico ?? 0n, leasedPico: row.leased_pico, version: row.version }
}

async function leaseOf(transaction: Connection, { nodeId, keyId }: LeaseWish): Promise<bigint> {
  const row = await transaction
    .selectFrom('leases')
    .select('amount_pico')
    .where('node_id', '=', nodeId)
    .where('key_id', '=', keyId)
    .executeTakeFirst()
  return row?.amount_pico ?? 0n
}

/**
 * Moves what a rotated key's running requests need from its replacement, which has the credit now, by a
 * `transfer`. Returns whether that was possible.
 */
async function takeFrom(
  transaction: Connection,
  successor: string,
  { keyId, neededPico }: LeaseWish,
): Promise<boolean> {
  const locked = await lockLedger(transaction, { keyIds: [keyId, successor] })
  const account = ledgerAccountId.key(keyId)
  const key = locked.keys.get(keyId)
  if (key === undefined || key.heir !== ledgerAccountId.key(successor)) return false
  const nowMs = Date.now()
  const posting = new Posting(locked, nowMs)
  const missingPico = neededPico - posting.freePico(account)
  if (posting.freePico(key.heir) < missingPico) return false
  posting.transfer({
    kind: 'transfer',
    reference: `rotated:${keyId}:${newIdentifier('led', nowMs)}`,
    debitAccount: key.heir,
    creditAccount: account,
    amountPico: missingPico,
    accountId: key.accountId,
    createdAtMs: nowMs,
  })
  await posting.post(transaction)
  return true
}

async function addToLease(
  transaction: Connection,
  { nodeId, keyId }: LeaseWish,
  takenPico: bigint,
): Promise<void> {
  await transaction
    .insertInto('leases')
    .values({ node_id: nodeId, key_id: keyId, amount_pico: takenPico })
    .onConflict((conflict) =>
      conflict.columns(['node_id', 'key_id']).doUpdateSet((expression) => ({
        amount_pico: expression('leases.amount_pico', '+', expression.ref('excluded.amount_pico')),
      })),
    )
    .execute()
}
