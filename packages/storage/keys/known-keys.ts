import { noBudgets, type AccountBudgets } from '@turnpike/billing'
import type { AccountStatus, AccountVendorKeys, KnownKey } from '@turnpike/identity'
import { sql } from 'kysely'
import { cacheBudgets } from '../budgets/known-budgets.ts'
import { earliest, toModels } from './key-columns.ts'
import type { Connection } from '../schema.ts'
import { keysMayTopUp } from './keys-may-top-up.ts'
import { lifetimeTopup, toLifetimePico } from '../topups/lifetime.ts'
import { cacheVendorKeys } from '../vendor-keys/known-vendor-keys.ts'

/** Caches data of accounts that is needed along with their keys, by its version. */
export class KnownAccounts {
  readonly #budgets = cacheBudgets()
  readonly #vendorKeys = cacheVendorKeys()

  async of(connection: Connection, rows: readonly KnownKeyRow[]): Promise<AccountData> {
    const versions = (column: 'budget_version' | 'vendor_keys_version') =>
      rows.map((row) => ({ accountId: row.account_id, version: row[column] }))
    return {
      budgets: await this.#budgets.of(connection, versions('budget_version')),
      vendorKeys: await this.#vendorKeys.of(connection, versions('vendor_keys_version')),
    }
  }
}

interface AccountData {
  budgets: ReadonlyMap<string, AccountBudgets>
  vendorKeys: ReadonlyMap<string, AccountVendorKeys>
}

/** Implements `ApiKeyStore.findByHashes`. */
export async function findByHashes(
  connection: Connection,
  keyHashes: readonly string[],
  known: KnownAccounts,
): Promise<Map<string, KnownKey>> {
  const rows = await selectKnownKeys(connection)
    .where('api_keys.key_hash', 'in', padHashes(keyHashes))
    .execute()
  const accounts = await known.of(connection, rows)
  const found = new Map(rows.map((row) => [row.key_hash, toKnownKey(row, accounts)]))
  const others = keyHashes.filter((keyHash) => !found.has(keyHash))
  if (others.length === 0) return found
  const ofTokens = await selectKnownKeys(connection)
    .innerJoin('sign_in_tokens', 'sign_in_tokens.key_id', 'api_keys.id')
    .select(['sign_in_tokens.token_hash', 'sign_in_tokens.expires_at_ms as token_expires_at_ms'])
    .where('sign_in_tokens.token_hash', 'in', padHashes(others))
    .execute()
  const theirs = await known.of(connection, ofTokens)
  for (const row of ofTokens) found.set(row.token_hash, toKnownKey(row, theirs))
  return found
}

function selectKnownKeys(connection: Connection) {
  return (
    connection
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      // In its grace period a secret stands for the key that replaced it; once revoked, for its own row.
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
        'key.member_id',
        'key.project_id',
        'key.status',
        'key.expires_at_ms',
        'key.allowed_models',
        'key.unsupported_fields',
        'key.log_prompts',
        'key.may_top_up',
        'accounts.status as account_status',
        'accounts.tier',
        'accounts.baseline_model',
        'accounts.budget_version',
        'accounts.vendor_keys_version',
        'accounts.log_prompts as account_log_prompts',
        'accounts.keys_may_top_up',
        'accounts.kind as account_kind',
      ])
      .select(lifetimeTopup)
  )
}

/** Lists of hashes are padded to a power of this, so that few different statements are prepared. */
const batchGrowth = 8

function padHashes(keyHashes: readonly string[]): string[] {
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
  member_id: string | null
  project_id: string | null
  account_status: string
  tier: string
  baseline_model: string | null
  budget_version: bigint
  vendor_keys_version: bigint
  status: string
  expires_at_ms: bigint | null
  revokes_at_ms: bigint | null
  allowed_models: string | null
  unsupported_fields: string | null
  log_prompts: bigint | null
  account_log_prompts: bigint
  may_top_up: bigint | null
  keys_may_top_up: bigint | null
  account_kind: string
  /** Present if the key was found by a device's access token. */
  token_expires_at_ms?: bigint
}

function toKnownKey(row: KnownKeyRow, accounts: AccountData): KnownKey {
  const allowedModels = toModels(row.allowed_models)
  const budgets = accounts.budgets.get(row.account_id) ?? null
  const owner = { id: row.id, memberId: row.member_id, projectId: row.project_id }
  return {
    id: row.id,
    secretOf: row.secret_of,
    accountId: row.account_id,
    memberId: row.member_id,
    projectId: row.project_id,
    accountStatus: row.account_status as AccountStatus,
    tier: row.tier,
    lifetimeTopupPico: toLifetimePico(row),
    baselineModel: row.baseline_model,
    status: row.status as KnownKey['status'],
    expiresAtMs: earliest(row.expires_at_ms, row.revokes_at_ms, row.token_expires_at_ms ?? null),
    allowedModels: allowedModels === null ? null : new Set(allowedModels),
    unsupportedFields: (row.unsupported_fields ?? undefined) as KnownKey['unsupportedFields'],
    budgets,
    ownBudgets: budgets?.ofKey(owner) ?? noBudgets,
    vendorKeys: accounts.vendorKeys.get(row.account_id) ?? null,
    logsPrompts: (row.log_prompts ?? row.account_log_prompts) === 1n,
    mayTopUp:
      row.may_top_up === null ? keysMayTopUp({ ...row, kind: row.account_kind }) : row.may_top_up === 1n,
  }
}
