import type { SealedSecret, SealedVendorKey, VendorKey } from './vendor-key.ts'

export type NewVendorKey = Pick<
  VendorKey,
  'id' | 'accountId' | 'provider' | 'name' | 'last4' | 'allowsShared'
> &
  SealedSecret

export type VendorKeyChanges = Partial<Pick<VendorKey, 'name' | 'status' | 'allowsShared' | 'position'>>

/** Why a key was not made or changed. */
export type VendorKeyRefusal =
  | { refused: 'exists' }
  | { refused: 'too-many'; most: number }
  /** Closed while the request was under way: what was its is gone, and nothing new comes. */
  | { refused: 'account-closed' }
  /** Nodes of a version run that knows nothing of such keys: they would spend credit in their place. */
  | { refused: 'older-nodes' }

/** What was seen of a key since the last time. */
export interface VendorKeySeen {
  id: string
  usedAtMs: number | null
  refusedAtMs: number | null
  /** Of the secret that was used: nothing is noted of one that was replaced meanwhile. */
  version: number
}

/** Accounts' own keys of vendors. Another account's key is no different from one that never was. */
export interface VendorKeyStore {
  create(key: NewVendorKey, nowMs: number): Promise<{ key: VendorKey } | VendorKeyRefusal>
  /** In the order in which they are asked; there are few. */
  list(accountId: string): Promise<VendorKey[]>
  find(accountId: string, id: string): Promise<VendorKey | undefined>
  update(
    accountId: string,
    id: string,
    changes: VendorKeyChanges,
    nowMs: number,
  ): Promise<{ key: VendorKey } | VendorKeyRefusal | undefined>
  /** Another secret in the place of the one that it has, which is gone then. */
  replaceSecret(
    accountId: string,
    id: string,
    secret: SealedSecret & Pick<VendorKey, 'last4'>,
    nowMs: number,
  ): Promise<VendorKey | undefined>
  /** Its row goes, and the secret with it. */
  remove(accountId: string, id: string, nowMs: number): Promise<VendorKey | undefined>
  note(seen: readonly VendorKeySeen[]): Promise<void>
  /** Keys, active or not, whose secrets are not sealed with the key of this name; by identifier. */
  listOutdatedSeals(keyName: string, afterId: string, limit: number): Promise<SealedVendorKey[]>
  /** Puts the same secret, sealed anew. @returns false where it was replaced, or removed, meanwhile */
  reseal(key: SealedVendorKey, secret: SealedSecret): Promise<boolean>
  /** How many keys are sealed with each sealing key, by its name. */
  countBySealingKey(): Promise<Map<string, number>>
}
