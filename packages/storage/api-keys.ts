import type { AccountStatus, ApiKey, ApiKeyChanges, ApiKeyStore, KnownKey } from '@turnpike/identity'
import type { SpendLimitPeriod } from '@turnpike/protocol'
import { sql, type Kysely } from 'kysely'
import { keysMayTopUp } from './accounts.ts'
import { cursorsOf, pageOf } from './cursor.ts'
import type { Database } from './database.ts'
import type { Engine } from './engine.ts'
import { createKey } from './create-key.ts'
import { halfOfLimit, limitColumns } from './key-columns.ts'
import { lockLedger } from './ledger/key-credit.ts'
import { keysWithLeases } from './keys-with-leases.ts'
import { drawOn, followHeir } from './ledger/payer.ts'
import { Posting } from './ledger/posting.ts'
import { spentOf } from './spending/spent.ts'
import { publish } from './notices.ts'
import { playgroundKeyHash } from './playground-key.ts'
import { rotateKey } from './rotate-key.ts'
import type { Schema } from './schema.ts'
import { lifetimeTopup, toLifetimePico } from './topups/lifetime.ts'
import { inTransaction } from './transaction.ts'

/** Of the keys whose grace has ended; the next sweep takes the next ones. */
const revokedAtOnce = 100

export function apiKeyStore(database: Database): ApiKeyStore {
  return {
    // Where reads have a thread of their own, a flood of keys that nobody has keeps no change waiting.
    findByHashes: (keyHashes) => findByHashes(database.read, keyHashes),
    find: (accountId, keyId) => find(database.write, accountId, keyId),
    isOfAccount: (accountId, keyId) => isOfAccount(database.read, accountId, keyId),
    defaultKeyHash: (accountId) => defaultKeyHash(database.read, accountId),
    playgroundKeyHash: (accountId, nowMs) => playgroundKeyHash(database, accountId, nowMs),
    leasedDrawers: (keyId) => keysWithLeases(database.write, 'draws_on', keyId),
    async list(accountId, { limit, cursor }) {
      const cursors = cursorsOf(`keys:${accountId}`, ['text'])
      const rows = await keysWithCredit(database.read)
        .where('api_keys.account_id', '=', accountId)
        .where('api_keys.purpose', 'is', null)
        .$if(cursor !== undefined, (query) => query.where('api_keys.id', '>', cursors.decode(cursor!)[0]))
        .orderBy('api_keys.id')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toApiKey), limit, cursors, (row) => [row.id])
    },
    create: (key, nowMs) =>
      inTransaction(database, async (transaction) => {
        const keyId = await createKey(database.engine, transaction, key, nowMs)
        return (await find(transaction, key.accountId, keyId))!
      }),
    async update(accountId, keyId, changes) {
      await inTransaction(database, async (transaction) => {
        if ((await find(transaction, accountId, keyId)) === undefined) return
        const { drawsOn } = changes
        if (drawsOn !== undefined)
          await drawOn(database.engine, transaction, { accountId, keyId, drawsOn, nowMs: Date.now() })
        await update(transaction, accountId, keyId, changes)
        await publish(database.engine, transaction, { about: 'key', keyId })
      })
      return find(database.write, accountId, keyId)
    },
    spent: (accountId, keys, nowMs) => spentOf(database.write, accountId, keys, nowMs),
    revoke: (accountId, keyId, nowMs) =>
      inTransaction(database, async (transaction) => {
        if ((await find(transaction, accountId, keyId)) === undefined) return undefined
        await revoke(database.engine, transaction, accountId, keyId, nowMs)
        return find(transaction, accountId, keyId)
      }),
    rotate: (rotation, nowMs) =>
      inTransaction(database, async (transaction) => {
        const rotated = await rotateKey(database.engine, transaction, rotation, nowMs)
        if (!('newKeyId' in rotated)) return rotated
        return { key: (await find(transaction, rotation.accountId, rotated.newKeyId))! }
      }),
    async revokeDue(nowMs) {
      const due = await database.write
        .selectFrom('api_keys')
        .select(['id', 'account_id'])
        .where('status', '=', 'active')
        .where('revokes_at_ms', '<=', BigInt(nowMs))
        .limit(revokedAtOnce)
        .execute()
      for (const key of due)
        await inTransaction(database, (transaction) =>
          revoke(database.engine, transaction, key.account_id, key.id, nowMs),
        )
      return due.map((key) => key.id)
    },
  }
}

/** Identifiers are time-ordered. */
async function defaultKeyHash(connection: Kysely<Schema>, accountId: string): Promise<string | undefined> {
  const key = await connection
    .selectFrom('api_keys')
    .select('key_hash')
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .where('replaced_by', 'is', null)
    .where('draws_on', 'is', null)
    .where('purpose', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return key?.key_hash
}

async function findByHashes(
  connection: Kysely<Schema>,
  keyHashes: readonly string[],
): Promise<Map<string, KnownKey>> {
  const rows = await knownKeys(connection).where('api_keys.key_hash', 'in', padded(keyHashes)).execute()
  const found = new Map(rows.map((row) => [row.key_hash, knownKeyOf(row)]))
  const others = keyHashes.filter((keyHash) => !found.has(keyHash))
  if (others.length === 0) return found
  const ofTokens = await knownKeys(connection)
    .innerJoin('sign_in_tokens', 'sign_in_tokens.key_id', 'api_keys.id')
    .select(['sign_in_tokens.token_hash', 'sign_in_tokens.expires_at_ms as token_expires_at_ms'])
    .where('sign_in_tokens.token_hash', 'in', padded(others))
    .execute()
  for (const row of ofTokens) found.set(row.token_hash, knownKeyOf(row))
  return found
}

function knownKeys(connection: Kysely<Schema>) {
  return (
    connection
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      // In its grace a secret stands for the key that has taken over; revoked, for none but its own.
      .innerJoin('api_keys as key', (join) =>
        join.on(
          'key.id',
          '=',
          sql<string>`CASE WHEN api_keys.status = 'active' AND api_keys.replaced_by IS NOT NULL
          THEN api_keys.replaced_by ELSE api_keys.id END`,
        ),
      )
      .select([
        'api_keys.key_hash',
        'api_keys.id as secret_of',
        'api_keys.revokes_at_ms',
        'key.id',
        'key.account_id',
        'key.status',
        'key.expires_at_ms',
        'key.allowed_models',
        'key.unsupported_fields',
        'key.log_prompts',
        'key.may_top_up',
        'accounts.status as account_status',
        'accounts.tier',
        'accounts.baseline_model',
        'accounts.log_prompts as account_log_prompts',
        'accounts.keys_may_top_up',
      ])
      .select(lifetimeTopup)
  )
}

/** So that there are few statements to be prepared, however many keys are asked for: powers of this. */
const batchGrowth = 8

function padded(keyHashes: readonly string[]): string[] {
  let size = 1
  while (size < keyHashes.length) size *= batchGrowth
  return Array.from({ length: size }, (_, index) => keyHashes[Math.min(index, keyHashes.length - 1)]!)
}

interface KnownKeyRow {
  topup_high: bigint | null
  topup_low: bigint | null
  id: string
  secret_of: string
  account_id: string
  account_status: string
  tier: string
  baseline_model: string | null
  status: string
  expires_at_ms: bigint | null
  revokes_at_ms: bigint | null
  allowed_models: string | null
  unsupported_fields: string | null
  log_prompts: bigint | null
  account_log_prompts: bigint
  may_top_up: bigint | null
  keys_may_top_up: bigint | null
  /** Where it was found by an access token of a device. */
  token_expires_at_ms?: bigint
}

function knownKeyOf(row: KnownKeyRow): KnownKey {
  const allowedModels = toModels(row.allowed_models)
  return {
    id: row.id,
    secretOf: row.secret_of,
    accountId: row.account_id,
    accountStatus: row.account_status as AccountStatus,
    tier: row.tier,
    lifetimeTopupPico: toLifetimePico(row),
    baselineModel: row.baseline_model,
    status: row.status as KnownKey['status'],
    expiresAtMs: earliest(row.expires_at_ms, row.revokes_at_ms, row.token_expires_at_ms ?? null),
    allowedModels: allowedModels === null ? null : new Set(allowedModels),
    unsupportedFields: (row.unsupported_fields ?? undefined) as KnownKey['unsupportedFields'],
    logsPrompts: (row.log_prompts ?? row.account_log_prompts) === 1n,
    mayTopUp: row.may_top_up === null ? keysMayTopUp(row) : row.may_top_up === 1n,
  }
}

async function revoke(
  engine: Engine,
  transaction: Kysely<Schema>,
  accountId: string,
  keyId: string,
  nowMs: number,
): Promise<void> {
  const locked = await lockLedger(engine, transaction, { keyIds: [keyId], revoking: keyId })
  const key = locked.keys.get(keyId)
  if (key === undefined || key.accountId !== accountId) return
  const revoked = await transaction
    .updateTable('api_keys')
    .set({ status: 'revoked', revoked_at_ms: nowMs })
    .where('id', '=', keyId)
    .where('status', '=', 'active')
    .returning('id')
    .executeTakeFirst()
  if (revoked === undefined) return
  const posting = new Posting(locked, nowMs)
  await followHeir(transaction, posting, key)
  posting.settleRevoked(key, 'first')
  await posting.post(engine, transaction)
  await publish(engine, transaction, { about: 'key', keyId })
}

async function update(
  connection: Kysely<Schema>,
  accountId: string,
  keyId: string,
  changes: ApiKeyChanges,
): Promise<void> {
  const columns = { ...limitColumns(changes), ...halfOfLimit(changes) }
  const named = changes.name === undefined ? columns : { ...columns, name: changes.name }
  if (Object.keys(named).length === 0) return
  await connection
    .updateTable('api_keys')
    .set(named)
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .execute()
}

async function find(
  connection: Kysely<Schema>,
  accountId: string,
  keyId: string,
): Promise<ApiKey | undefined> {
  const row = await keysWithCredit(connection)
    .where('api_keys.account_id', '=', accountId)
    .where('api_keys.id', '=', keyId)
    .where('api_keys.purpose', 'is', null)
    .executeTakeFirst()
  return row === undefined ? undefined : toApiKey(row)
}

async function isOfAccount(connection: Kysely<Schema>, accountId: string, keyId: string): Promise<boolean> {
  const row = await connection
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', keyId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row !== undefined
}

function keysWithCredit(connection: Kysely<Schema>) {
  return connection
    .selectFrom('api_keys')
    .innerJoin('ledger_accounts', 'ledger_accounts.key_id', 'api_keys.id')
    .selectAll('api_keys')
    .select('ledger_accounts.balance_pico')
}

type ApiKeyRow = Awaited<ReturnType<ReturnType<typeof keysWithCredit>['execute']>>[number]

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    keyPrefix: row.key_prefix,
    status: row.status as ApiKey['status'],
    balancePico: row.balance_pico ?? 0n,
    createdAtMs: Number(row.created_at_ms),
    lastUsedAtMs: toNumber(row.last_used_at_ms),
    revokedAtMs: toNumber(row.revoked_at_ms),
    expiresAtMs: earliest(row.expires_at_ms, row.revokes_at_ms),
    allowedModels: toModels(row.allowed_models),
    spendLimitPico: row.spend_limit_pico,
    spendLimitPeriod: row.spend_limit_period as SpendLimitPeriod | null,
    unsupportedFields: row.unsupported_fields as ApiKey['unsupportedFields'],
    logPrompts: row.log_prompts === null ? null : row.log_prompts === 1n,
    mayTopUp: row.may_top_up === null ? null : row.may_top_up === 1n,
    drawsOn: row.draws_on,
    replacedBy: row.replaced_by,
  }
}

function toNumber(value: bigint | null): number | null {
  return value === null ? null : Number(value)
}

/** A key whose grace ends at a time expires then. */
function earliest(...timesMs: (bigint | null)[]): number | null {
  const known = timesMs.filter((timeMs) => timeMs !== null)
  return known.length === 0 ? null : Math.min(...known.map(Number))
}

function toModels(text: string | null): string[] | null {
  return text === null ? null : (JSON.parse(text) as string[])
}
