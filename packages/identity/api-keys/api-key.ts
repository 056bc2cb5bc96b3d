import type { AccountBudgets, BudgetSet } from '@turnpike/billing'
import type { SpendLimitPeriod, UnsupportedFieldsRule } from '@turnpike/protocol'
import type { AccountStatus } from '../accounts/account.ts'
import type { AccountVendorKeys } from '../vendor-keys/vendor-key.ts'

export interface ApiKey {
  /** `key_…` */
  id: string
  accountId: string
  name: string
  /** The first 16 characters of the raw key. */
  keyPrefix: string
  status: 'active' | 'revoked'
  balancePico: bigint
  createdAtMs: number
  lastUsedAtMs: number | null
  revokedAtMs: number | null
  expiresAtMs: number | null
  /** Null: every model. */
  allowedModels: string[] | null
  spendLimitPico: bigint | null
  spendLimitPeriod: SpendLimitPeriod | null
  /** What becomes of fields that a vendor cannot honour; null: what the provider says. */
  unsupportedFields: UnsupportedFieldsRule | null
  /** Whether its prompts and answers are kept; null: as its account has it. */
  logPrompts: boolean | null
  /** Whether its 402 has a link to a checkout; null: as its account has it. */
  mayTopUp: boolean | null
  /** The key whose credit it uses; null: its own. */
  drawsOn: string | null
  /** The key that has this one's name, limits and credit since it was rotated. */
  replacedBy: string | null
  /** Of an organization's key: whose it is; null: the organization's own. Never changes. */
  memberId: string | null
  /** The project that it is in; null: none. Never changes. */
  projectId: string | null
  /** Others had it before, who may know its secret. */
  handedOver: boolean
}

/** What the request path needs to know of a key; kept in memory. */
export interface KnownKey {
  id: string
  /**
   * The key whose secret this is: during the grace of a rotation the one before `id`, which it stands for.
   */
  secretOf: string
  accountId: string
  /** Of an organization's key: whose it is; null: the organization's own. */
  memberId: string | null
  /** The project that it is in; null: none. */
  projectId: string | null
  accountStatus: AccountStatus
  /** The tier that the account was given; its top-ups may have raised it since. */
  tier: string
  /** All the account's top-ups together, less what went back. */
  lifetimeTopupPico: bigint
  /** Of the account. */
  baselineModel: string | null
  status: 'active' | 'revoked'
  expiresAtMs: number | null
  allowedModels: ReadonlySet<string> | null
  /** What becomes of fields that a vendor cannot honour; undefined: what the provider says. */
  unsupportedFields: UnsupportedFieldsRule | undefined
  /** Its account's hard budgets; null: it never had any. */
  budgets: AccountBudgets | null
  /** Those of them that all of its requests fall under. */
  ownBudgets: BudgetSet
  /** Its account's own keys of vendors; null: it never had any. */
  vendorKeys: AccountVendorKeys | null
  /** Its prompts and answers are to be kept, as it or its account says. */
  logsPrompts: boolean
  /** Its 402 has a link to a checkout, as it or its account says. */
  mayTopUp: boolean
}
