import type { SignInClient } from '../device-sign-ins/device-sign-in.ts'
import type { SpendLimitPeriod, UnsupportedFieldsRule } from '@turnpike/protocol'
import type { ApiKey, KnownKey } from './api-key.ts'

/** What the gateway creates keys for on its own. */
export type KeyPurpose = 'playground'

export interface NewApiKey {
  accountId: string
  name: string
  keyPrefix: string
  /** SHA-256 of the raw key, as 64 lower-case hex digits. Nothing else of the key is ever stored. */
  keyHash: string
  expiresAtMs: number | null
  allowedModels: string[] | null
  spendLimitPico: bigint | null
  spendLimitPeriod: SpendLimitPeriod | null
  /** Absent: null. */
  unsupportedFields?: UnsupportedFieldsRule | null
  /** Absent: null. */
  logPrompts?: boolean | null
  /** Absent: null. */
  mayTopUp?: boolean | null
  /** The key whose credit it uses; absent or null: its own. `default`: the account's, if any. */
  drawsOn?: string | null
  /** The program that it was made for, if a device sign-in made it. */
  madeFor?: SignInClient
  /** The gateway's own key: the account's owner never sees it, and an account has at most one. */
  purpose?: KeyPurpose
  /** In an organization, the member whose key it is; absent or null: the organization's own. */
  memberId?: string | null
  /** Absent or null: the key is in no project. */
  projectId?: string | null
}

export type ApiKeyChanges = Partial<
  Pick<
    ApiKey,
    | 'name'
    | 'expiresAtMs'
    | 'allowedModels'
    | 'spendLimitPico'
    | 'spendLimitPeriod'
    | 'unsupportedFields'
    | 'logPrompts'
    | 'mayTopUp'
    | 'drawsOn'
  >
>

export interface KeyRotation {
  accountId: string
  keyId: string
  /** Of the new key. */
  keyPrefix: string
  keyHash: string
  /** How much longer the old secret works, in milliseconds; 0: it is rejected at once. */
  graceMs: number
}

/** Gives a key to another member, or puts it in another project. */
export interface KeyHandOver {
  accountId: string
  keyId: string
  /** Null: the organization itself; undefined: unchanged. */
  memberId?: string | null
  /** Null: no project; undefined: unchanged. */
  projectId?: string | null
}

/** Which of an account's keys to list. */
export interface KeyFilter {
  memberId?: string
  projectId?: string
}

export type RotationResult =
  | { key: ApiKey }
  | { refused: 'unknown-key' | 'key-revoked' }
  /** It was already rotated. */
  | { replacedBy: string }

/** The gateway's internal keys are not listed among an account's keys: only their hashes find them. */
export interface ApiKeyStore {
  /**
   * Finds keys by hash; hashes without a key are missing in the result. The hash of a rotated secret finds,
   * during the grace period, the key that replaced it. The hash of a device's access token finds the device's
   * key until the token expires. Writers of keys never wait for this query.
   */
  findByHashes(keyHashes: readonly string[]): Promise<Map<string, KnownKey>>
  find(accountId: string, keyId: string): Promise<ApiKey | undefined>
  /** Whether the key, or an internal one, is the account's and, if a member is given, that member's. */
  isOfAccount(accountId: string, keyId: string, memberId?: string): Promise<boolean>
  /**
   * Hash of the account's default key: its oldest active key that was not replaced and has its own credit
   * (docs/contract.md, 4.2), expired or not. With a member: that of the member's keys, whoever pays for them.
   * Undefined if there is none.
   */
  defaultKeyHash(accountId: string, memberId?: string): Promise<string | undefined>
  /**
   * Hash of the playground key of the account, or of a member; the first call creates the key. The key has no
   * secret, so nobody can know it. It draws on the account's credit; while the account has no key of its
   * owner's, it holds that credit itself.
   */
  playgroundKeyHash(accountId: string, nowMs: number, memberId?: string): Promise<string>
  /** Keys that draw on this one and have leases of its credit. */
  leasedDependents(keyId: string): Promise<string[]>
  /** Oldest first. Includes revoked keys; a key that was handed over appears as its replacement. */
  list(
    accountId: string,
    page: { limit: number; cursor?: string },
    filter?: KeyFilter,
  ): Promise<{ rows: ApiKey[]; nextCursor: string | null }>
  /**
   * Creates a key. In the same transaction, the account's unassigned credit moves to the new key, or to the
   * key it draws on (a `transfer`).
   * @throws {PayerRefused} {KeyOwnerRefused}
   */
  create(key: NewApiKey, nowMs: number): Promise<ApiKey>
  /**
   * A spend limit without a period keeps its previous period, or gets `total`; a period without a limit
   * changes nothing. A key that starts to draw on another gives that key all its credit; a key that starts to
   * have its own credit takes along what its running requests hold. Both are a `transfer`.
   * @throws {PayerRefused}
   */
  update(accountId: string, keyId: string, changes: ApiKeyChanges): Promise<ApiKey | undefined>
  /**
   * How much each of these keys that has a spend limit was charged in its current period, including the keys
   * it replaced. Counts the charges that are in the database.
   */
  readSpend(accountId: string, keys: readonly ApiKey[], nowMs: number): Promise<Map<string, bigint>>
  /**
   * Revokes a key. In the same transaction, its remaining credit moves to the default key (the oldest active
   * one), or else to the account's unassigned credit (a `sweep`). A second call changes nothing and returns
   * the same.
   */
  revoke(accountId: string, keyId: string, nowMs: number): Promise<ApiKey | undefined>
  /**
   * Replaces the key, in one transaction, with a new one that has its name, limits and credit. During the
   * grace period the old secret is accepted for the new key: requests count as the new key's, under its
   * limits.
   */
  rotate(rotation: KeyRotation, nowMs: number): Promise<RotationResult>
  /**
   * Replaces the key with a new one that has its name, limits and credit, for another member or project. The
   * old secret is accepted for the new key without end, so anybody who knew it still has access until the key
   * is rotated. Devices that were signed in to the old key are signed out.
   * @throws {KeyOwnerRefused}
   */
  handOver(handOver: KeyHandOver, nowMs: number): Promise<RotationResult>
  /** Revokes keys whose grace period has ended, and returns their ids. Any node may do it, at any time. */
  revokeDue(nowMs: number): Promise<string[]>
}
