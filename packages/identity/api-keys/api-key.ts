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
  /** Null: all models. */
  allowedModels: string[] | null
  spendLimitPico: bigint | null
  spendLimitPeriod: SpendLimitPeriod | null
  /** How to handle fields that a vendor cannot honour; null: the provider's default. */
  unsupportedFields: UnsupportedFieldsRule | null
  /** Whether its prompts and answers are kept; null: its account's setting. */
  logPrompts: boolean | null
  /** Whether its 402 responses contain a link to a checkout; null: its account's setting. */
  mayTopUp: boolean | null
  /** The key whose credit it uses; null: its own. */
  drawsOn: string | null
  /** The key that took over its name, limits and credit when it was rotated. */
  replacedBy: string | null
  /** In an organization, the member whose key it is; null: the organization's own. Never changes. */
  memberId: string | null
  /** The project that it belongs to; null: none. Never changes. */
  projectId: string | null
  /** It belonged to somebody else before, who may still know its secret. */
  handedOver: boolean
}

/** What the request path needs to know about a key; kept in memory. */
export interface KnownKey {
  id: string
  /** The key whose secret was presented: in the grace period of a rotation, the one `id` replaced. */
  secretOf: string
  accountId: string
  /** In an organization, the member whose key it is; null: the organization's own. */
  memberId: string | null
  /** The project that it belongs to; null: none. */
  projectId: string | null
  accountStatus: AccountStatus
  /** The tier that the account was given; its top-ups may have raised it since. */
  tier: string
  /** The sum of all the account's top-ups, less refunds. */
  lifetimeTopupPico: bigint
  /** The account's setting. */
  baselineModel: string | null
  status: 'active' | 'revoked'
  expiresAtMs: number | null
  allowedModels: ReadonlySet<string> | null
  /** How to handle fields that a vendor cannot honour; undefined: the provider's default. */
  unsupportedFields: UnsupportedFieldsRule | undefined
  /** The account's hard budgets; null: it never had any. */
  budgets: AccountBudgets | null
  /** Those of the account's budgets that apply to all requests of this key. */
  ownBudgets: BudgetSet
  /** The account's own vendor keys; null: it never had any. */
  vendorKeys: AccountVendorKeys | null
  /** Whether its prompts and answers are kept: its own setting, or its account's. */
  logsPrompts: boolean
  /** Whether its 402 responses contain a link to a checkout: its own setting, or its account's. */
  mayTopUp: boolean
}
