import type { SealedSecret, SealedVendorKey, VendorKey } from './vendor-key.ts'

export type NewVendorKey = Pick<
  VendorKey,
  'id' | 'accountId' | 'provider' | 'name' | 'last4' | 'allowsShared'
> &
  SealedSecret

export type VendorKeyChanges = Partial<Pick<VendorKey, 'name' | 'status' | 'allowsShared' | 'position'>>

/** Why a key was not created or changed. */
export type VendorKeyRefusal =
  | { refused: 'exists' }
  | { refused: 'too-many'; most: number }
  /** The account was closed during the request: its things are deleted, and nothing new is accepted. */
  | { refused: 'account-closed' }
  /** Nodes of an older version are running, which do not know these keys: they would spend credit instead. */
  | { refused: 'older-nodes' }

/** What was observed about a key since the last time. */
export interface VendorKeySeen {
  id: string
  usedAtMs: number | null
  refusedAtMs: number | null
  /** Of the secret that was used: nothing is recorded for one that was replaced in the meantime. */
  version: number
}

/** Accounts' own vendor keys. Another account's key appears not to exist. */
export interface VendorKeyStore {
  create(key: NewVendorKey, nowMs: number): Promise<{ key: VendorKey } | VendorKeyRefusal>
  /** In the order in which they are tried; there are few. */
  list(accountId: string): Promise<VendorKey[]>
  find(accountId: string, id: string): Promise<VendorKey | undefined>
  update(
    accountId: string,
    id: string,
    changes: VendorKeyChanges,
    nowMs: number,
  ): Promise<{ key: VendorKey } | VendorKeyRefusal | undefined>
  /** Replaces the key's secret; the old secret is deleted. */
  replaceSecret(
    accountId: string,
    id: string,
    secret: SealedSecret & Pick<VendorKey, 'last4'>,
    nowMs: number,
  ): Promise<VendorKey | undefined>
  /** Deletes its row, and the secret with it. */
  remove(accountId: string, id: string, nowMs: number): Promise<VendorKey | undefined>
  note(seen: readonly VendorKeySeen[]): Promise<void>
  /** Keys, active or not, whose secrets are not sealed with the key of this name; ordered by identifier. */
  listOutdatedSeals(keyName: string, afterId: string, limit: number): Promise<SealedVendorKey[]>
  /** Stores the same secret, sealed anew. @returns false if it was replaced or removed in the meantime */
  reseal(key: SealedVendorKey, secret: SealedSecret): Promise<boolean>
  /** How many keys are sealed with each sealing key, by its name. */
  countBySealingKey(): Promise<Map<string, number>>
}
