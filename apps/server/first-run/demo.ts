import { join } from 'node:path'
import { picoPerUsd, type LedgerStore } from '@turnpike/billing'
import {
  hashApiKey,
  type KnownKey,
  isWellFormedApiKey,
  newApiKey,
  type AccountStore,
  type ApiKeyStore,
} from '@turnpike/identity'
import { ensureSecret, readSecret } from './generated-secret.ts'

/** Credit of the demo account, granted once. */
const grantPico = 5n * picoPerUsd
const email = 'demo@localhost'
const keyFile = 'demo_key'
/** Length of `key_prefix` (docs/contract.md, 3). */
const prefixLength = 16

export interface DemoStores {
  accounts: AccountStore
  apiKeys: ApiKeyStore
  ledger: LedgerStore
}

export interface Demo {
  accountId: string
  keyId: string
  raw: string
}

/**
 * Creates the account for the first steps, with one key and 5 USD of `grant` credit, once per database.
 * After a crash, each step can safely run again. The raw key is kept in `dataDir`, so that every start can
 * show it.
 * @returns undefined if the operator has revoked the key; no new one is created
 */
export async function ensureDemoAccount(
  stores: DemoStores,
  dataDir: string,
  nowMs: number,
): Promise<Demo | undefined> {
  const raw = wellFormed(
    ensureSecret(dataDir, keyFile, () => newApiKey().raw),
    dataDir,
  )
  const keyHash = hashApiKey(raw)
  const known = await findByHash(stores.apiKeys, keyHash)
  if (known !== undefined && (known.status === 'revoked' || known.accountStatus !== 'active'))
    return undefined
  const accountId = known?.accountId ?? (await provision(stores, nowMs))
  const keyId = known?.id ?? (await createKey(stores, { accountId, raw, keyHash }, nowMs))
  const reference = `grant:demo:${accountId}`
  const reason = 'Credit of the demo account'
  const result = await stores.ledger.move(
    { accountId, keyId, kind: 'grant', amountPico: grantPico, reference, reason },
    nowMs,
  )
  // Another key of this account received the grant earlier; there is only one grant.
  if ('refused' in result && result.refused !== 'reference-reused') {
    throw new Error(`the credit of the demo account was rejected: ${result.refused}`)
  }
  return { accountId, keyId, raw }
}

/** Returns the demo key if it exists and still works. Creates nothing. */
export async function findActiveDemo(apiKeys: ApiKeyStore, dataDir: string): Promise<Demo | undefined> {
  const raw = readSecret(dataDir, keyFile)
  if (raw === undefined) return undefined
  const known = await findByHash(apiKeys, hashApiKey(wellFormed(raw, dataDir)))
  if (known === undefined || known.status === 'revoked' || known.accountStatus !== 'active') return undefined
  return { accountId: known.accountId, keyId: known.id, raw }
}

async function findByHash(
  apiKeys: Pick<ApiKeyStore, 'findByHashes'>,
  keyHash: string,
): Promise<KnownKey | undefined> {
  return (await apiKeys.findByHashes([keyHash])).get(keyHash)
}

async function provision({ accounts }: DemoStores, nowMs: number): Promise<string> {
  const { account } = await accounts.provision({ displayName: 'Demo', email, tier: 'free' }, nowMs)
  return account.id
}

async function createKey(
  { apiKeys }: DemoStores,
  { accountId, raw, keyHash }: { accountId: string; raw: string; keyHash: string },
  nowMs: number,
): Promise<string> {
  const key = await apiKeys.create(
    {
      accountId,
      name: 'demo',
      keyPrefix: raw.slice(0, prefixLength),
      keyHash,
      expiresAtMs: null,
      allowedModels: null,
      spendLimitPico: null,
      spendLimitPeriod: null,
    },
    nowMs,
  )
  return key.id
}

function wellFormed(raw: string, dataDir: string): string {
  if (isWellFormedApiKey(raw)) return raw
  throw new Error(
    `${join(dataDir, keyFile)} does not contain an API key: delete it, and a new one is created`,
  )
}
