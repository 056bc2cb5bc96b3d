import type { SignInClient } from '../device-sign-ins/device-sign-in.ts'
import type { SpendLimitPeriod, UnsupportedFieldsRule } from '@turnpike/protocol'
import type { ApiKey, KnownKey } from './api-key.ts'

/** What the gateway makes keys of its own for. */
export type KeyPurpose = 'playground'

export interface NewApiKey {
  accountId: string
  name: string
  keyPrefix: string
  /** SHA-256 of the raw key, 32 bytes in lower-case hex: all that is ever stored of it. */
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
  /**
   * The key whose credit it uses; absent or null: its own. `default`: the account's default key, where it has
   * one.
   */
  drawsOn?: string | null
  /** The program that it is made for, where a sign-in makes it. */
  madeFor?: SignInClient
  /** The gateway makes it for itself: the account's owner never sees it. There is one such of an account. */
  purpose?: KeyPurpose
  /** Of an organization's key: whose it is; absent or null: the organization's own. */
  memberId?: string | null
  /** Absent or null: of no project. */
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
  /** How long the old secret goes on, in milliseconds; 0: it is refused at once. */
  graceMs: number
}

/** A key goes to another member, or another project. */
export interface KeyHandOver {
  accountId: string
  keyId: string
  /** Null: the organization itself; undefined: as it is. */
  memberId?: string | null
  /** Null: none; undefined: as it is. */
  projectId?: string | null
}

/** Which of an account's keys are listed. */
export interface KeyFilter {
  memberId?: string
  projectId?: string
}

export type RotationResult =
  | { key: ApiKey }
  | { refused: 'unknown-key' | 'key-revoked' }
  /** It was rotated before. */
  | { replacedBy: string }

/** Keys that the gateway made for itself are not among an account's: only their hashes find them. */
export interface ApiKeyStore {
  /**
   * By hash, those that exist. Of a secret that was rotated and is in its grace: the key that it stands for;
   * of an access token of a device that is signed in: the device's key, until the token expires.
   * What changes keys never waits for it.
   */
  findByHashes(keyHashes: readonly string[]): Promise<Map<string, KnownKey>>
  find(accountId: string, keyId: string): Promise<ApiKey | undefined>
  /**
   * Whether the key is the account's, and the member's where one is named; one that the gateway made for
   * itself included.
   */
  isOfAccount(accountId: string, keyId: string, memberId?: string): Promise<boolean>
  /**
   * Hash of the account's default key: its oldest active one that was not replaced and has its own credit
   * (docs/contract.md, 4.2), expired or not; of a member's keys, whoever pays for them. Undefined where there
   * is none.
   */
  defaultKeyHash(accountId: string, memberId?: string): Promise<string | undefined>
  /**
   * Hash of the key by which the playground of the account, or of a member, asks; made with the first call.
   * Nobody knows its secret: there is none. It draws on the account's credit; where the account has no key of
   * its owner's, it holds that credit until there is one.
   */
  playgroundKeyHash(accountId: string, nowMs: number, memberId?: string): Promise<string>
  /** Keys that draw on this one and have leases of its credit. */
  leasedDependents(keyId: string): Promise<string[]>
  /** Oldest first; revoked ones included, and none that was handed over: the one in its place is. */
  list(
    accountId: string,
    page: { limit: number; cursor?: string },
    filter?: KeyFilter,
  ): Promise<{ rows: ApiKey[]; nextCursor: string | null }>
  /**
   * In the same transaction, the account's unassigned credit moves to the new key, or to the one that it
   * draws on (a `transfer`).
   * @throws {PayerRefused} {KeyOwnerRefused}
   */
  create(key: NewApiKey, nowMs: number): Promise<ApiKey>
  /**
   * A spend limit without a period keeps the period that it had, or is one of `total`; a period where there
   * is no limit changes nothing. A key that draws on another from now on gives all its credit to that one;
   * one that has its own from now on takes what its running requests hold. Both are a `transfer`.
   * @throws {PayerRefused}
   */
  update(accountId: string, keyId: string, changes: ApiKeyChanges): Promise<ApiKey | undefined>
  /**
   * What those of an account's keys that have a spend limit were charged in its period, together with the
   * keys that they replaced: as far as charges are in the database.
   */
  readSpend(accountId: string, keys: readonly ApiKey[], nowMs: number): Promise<Map<string, bigint>>
  /**
   * In the same transaction, what is left moves to the default key (the oldest active one), else to the
   * account's unassigned credit (a `sweep`). A second call changes nothing and answers the same.
   */
  revoke(accountId: string, keyId: string, nowMs: number): Promise<ApiKey | undefined>
  /**
   * A new key with the name, limits and credit of the old one, in one transaction. Until the grace ends, the
   * old secret stands for the new key: requests are that key's, and its limits hold.
   */
  rotate(rotation: KeyRotation, nowMs: number): Promise<RotationResult>
  /**
   * A new key with the name, limits and credit of the old one, for another member or project, for which the
   * old secret stands without end: until it is rotated, whoever knew the secret has it still. Devices that
   * were signed in to it are signed out. @throws {KeyOwnerRefused}
   */
  handOver(handOver: KeyHandOver, nowMs: number): Promise<RotationResult>
  /** Revokes the keys whose grace has ended, and names them. Any node may do it, at any time. */
  revokeDue(nowMs: number): Promise<string[]>
}
