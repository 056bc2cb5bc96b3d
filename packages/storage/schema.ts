import type { ColumnType, Generated, Kysely } from 'kysely'
import type { AuditEntryTable } from './audit/tables.ts'
import type { AutoTopupTables } from './auto-topups/tables.ts'
import type { BudgetTables } from './budgets/tables.ts'
import type { DefaultedInteger, Integer, NullableInteger } from './column-types.ts'
import type { KeptAnswerTable, KeptAnswerTotalTable, KeptItemTable } from './kept-answers/tables.ts'
import type { HealthErrorTable, HealthTotalTable } from './health/tables.ts'
import type { EventTables } from './events/tables.ts'
import type { OperationsTables } from './operations-tables.ts'
import type {
  IdentityInviteTable,
  IdentityMailedCodeTable,
  IdentitySecretTable,
  IdentitySessionTable,
  IdentityStateTable,
  IdentityUserTable,
} from './identity/tables.ts'
import type { KeyOwnerColumns, OrganizationTables } from './organizations/tables.ts'
import type { BillingDetailsTable } from './billing-details/tables.ts'
import type { PromptLogDeletionTable, PromptLogTable, PromptLogTotalTable } from './prompt-logs/tables.ts'
import type { VendorKeyTables } from './vendor-keys/tables.ts'

/** A database connection, or a transaction on it. */
export type Connection = Kysely<Schema>

/** The tables as Kysely sees them; `migrations/` creates them. */
export interface Schema
  extends OperationsTables, OrganizationTables, BudgetTables, EventTables, AutoTopupTables, VendorKeyTables {
  accounts: AccountTable
  api_keys: ApiKeyTable
  ledger_accounts: LedgerAccountTable
  ledger_transfers: LedgerTransferTable
  nodes: NodeTable
  leases: LeaseTable
  /** PostgreSQL only. */
  notices: NoticeTable
  prices: PriceTable
  requests: RequestTable
  usage_totals: UsageTotalTable
  usage_tag_totals: UsageTagTotalTable
  usage_endpoint_totals: UsageEndpointTotalTable
  usage_endpoint_tag_totals: UsageEndpointTotalTable & UsageTagTotalTable
  health_totals: HealthTotalTable
  health_errors: HealthErrorTable
  tag_sets: TagSetTable
  request_horizon: RequestHorizonTable
  topups: TopupTable
  audit_entries: AuditEntryTable
  idempotency_claims: IdempotencyClaimTable
  identity_users: IdentityUserTable
  identity_states: IdentityStateTable
  identity_secrets: IdentitySecretTable
  identity_invites: IdentityInviteTable
  identity_sessions: IdentitySessionTable
  identity_mailed_codes: IdentityMailedCodeTable
  billing_details: BillingDetailsTable
  device_requests: DeviceRequestTable
  sign_ins: SignInTable
  sign_in_tokens: SignInTokenTable
  kept_answers: KeptAnswerTable
  kept_answer_totals: KeptAnswerTotalTable
  kept_items: KeptItemTable
  prompt_logs: PromptLogTable
  prompt_log_totals: PromptLogTotalTable
  prompt_log_deletions: PromptLogDeletionTable
  schema_migrations: MigrationTable
}

export interface AccountTable {
  id: string
  display_name: string | null
  /** In canonical spelling, so that a person is always found under the same address. */
  email: string | null
  subject: string | null
  status: string
  tier: string
  created_at_ms: Integer
  /** `person` or `organization`. */
  kind: ColumnType<string, string | undefined, never>
  /** 0 or 1: whether the identity provider or an operator vouches for the address. */
  email_verified: ColumnType<bigint, bigint | number | undefined, bigint | number>
  /** 0 or 1: whether the account may administer the gateway with a user token. */
  operator: ColumnType<bigint, bigint | number | undefined, bigint | number>
  /** The name as the identity provider last reported it. */
  claimed_name: ColumnType<string | null, string | null | undefined, string | null>
  baseline_model: ColumnType<string | null, string | null | undefined, string | null>
  /** 0 or 1: prompts and answers of its keys are kept, unless a key overrides it. */
  log_prompts: DefaultedInteger
  /** For how many days; null: not set. */
  log_days: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
  /** 0 or 1: whether a 402 of its keys contains a checkout link; null: the default of its kind. */
  keys_may_top_up: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
  /** Increases with every change to one of its budgets; 0: it never had any. */
  budget_version: Generated<bigint>
  /** Increases with every change to one of its own vendor keys; 0: it never had any. */
  vendor_keys_version: Generated<bigint>
}

export interface ApiKeyTable extends KeyOwnerColumns {
  id: string
  account_id: string
  name: string
  key_prefix: string
  key_hash: string
  status: string
  created_at_ms: Integer
  last_used_at_ms: NullableInteger
  revoked_at_ms: NullableInteger
  expires_at_ms: NullableInteger
  /** JSON array; null: every model. */
  allowed_models: string | null
  spend_limit_pico: NullableInteger
  spend_limit_period: string | null
  unsupported_fields: string | null
  /** The key that took over this one's name, limits and credit when it was rotated. */
  replaced_by: string | null
  /** When the grace period of a rotated key ends. */
  revokes_at_ms: NullableInteger
  /** The key whose credit this one uses; null: its own. */
  draws_on: ColumnType<string | null, string | null | undefined, string | null>
  /** The program that a device sign-in created the key for. */
  made_for: ColumnType<string | null, string | null | undefined, string | null>
  /** What the gateway created the key for; null: its owner created it. */
  purpose: ColumnType<string | null, string | null | undefined, never>
  /** 0 or 1: whether its prompts and answers are kept; null: as its account says. */
  log_prompts: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
  /** 0 or 1: whether its 402 contains a checkout link; null: as its account says. */
  may_top_up: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
}

export interface LedgerAccountTable {
  id: string
  kind: string
  account_id: string | null
  key_id: string | null
  /** Null for the operator's accounts: sums would exceed 64 bits, and every charge wait for their rows. */
  balance_pico: NullableInteger
  /** Sum of this key's leases. Free credit is the balance minus this. */
  leased_pico: Integer
  /** Increases with every change to the balance or to one of the leases. */
  version: Generated<bigint>
}

export interface LedgerTransferTable {
  id: string
  kind: string
  reference: string
  debit_account: string
  credit_account: string
  amount_pico: Integer
  account_id: string
  request_id: string | null
  reason: string | null
  corrects_transfer_id: string | null
  created_at_ms: Integer
}

export interface NodeTable {
  id: string
  heartbeat_at_ms: Integer
  /** How long after the node's last heartbeat its leases stay valid. */
  lease_ms: DefaultedInteger
  /** How often its leases were taken away because its heartbeats had stopped. */
  expiries: Generated<bigint>
  /** 0 or 1: whether the node counts charges for budgets; older versions do not. */
  counts_budgets: DefaultedInteger
  /** 0 or 1: whether the node uses accounts' own vendor keys; older versions do not. */
  knows_vendor_keys: DefaultedInteger
}

export interface LeaseTable {
  node_id: string
  key_id: string
  amount_pico: Integer
}

export interface NoticeTable {
  id: string
  /** JSON of `Notice`. */
  notice: string
  created_at_ms: Integer
}

export interface PriceTable {
  version: string
  /** JSON of `Pricing`. */
  pricing: string
  created_at_ms: Integer
}

export interface RequestTable {
  id: string
  account_id: string
  key_id: string
  /** The key that paid, if it is another one. */
  paid_by: ColumnType<string | null, string | null | undefined, string | null>
  started_at_ms: Integer
  endpoint: string
  /** 0 or 1. */
  stream: Integer
  model_asked: string | null
  model_served: string | null
  provider: string | null
  tier: string | null
  /** JSON of `RouteRecord`. */
  route: string | null
  baseline_pico: NullableInteger
  /** JSON array, in the caller's order. */
  tags: string
  /** The identifier of its set of tags in `tag_sets`; '' if it has none. */
  tag_set: string
  outcome: string
  status: Integer
  error_type: string | null
  error_param: string | null
  /** JSON array of `AttemptRecord`. */
  attempts: string
  /** JSON array of paths; null: none, or written before this column existed. */
  dropped: string | null
  /** JSON of `Usage`. */
  usage: string | null
  tokens_in: Integer
  tokens_out: Integer
  price_version: string | null
  markup: string
  hold_pico: Integer
  charge_pico: Integer
  /** 0 or 1: this row is the ledger entry of its charge, instead of a transfer (`usage-entries.ts`). */
  is_entry: DefaultedInteger
  vendor_cost_pico: NullableInteger
  /** 0 or 1: whether one of the account's own vendor keys answered. */
  is_byok: DefaultedInteger
  own_cost_pico: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
  duration_ms: Integer
  first_token_ms: NullableInteger
}

export interface UsageTotalTable {
  /** A month, day or hour in UTC: `m2026-03`, `d2026-03-15`, `h2026-03-15T07`. */
  period: string
  account_id: string
  key_id: string
  /** In this column and the next two, '' means none. */
  model: string
  provider: string
  tier: string
  outcome: string
  requests: Integer
  tokens_in: Integer
  tokens_out: Integer
  /** Sums of the charges' upper bits and lower 32 bits, in pico-USD (`wide-sum.ts`). */
  cost_high: Integer
  cost_low: Integer
  baseline_high: Integer
  baseline_low: Integer
  vendor_cost_high: DefaultedInteger
  vendor_cost_low: DefaultedInteger
  /** The part of the cost that comes from requests whose vendor cost is known. */
  costed_high: DefaultedInteger
  costed_low: DefaultedInteger
}

export interface UsageTagTotalTable extends UsageTotalTable {
  tag_set: string
}

/** Totals of every endpoint but `chat.completions`, whose share is what remains of the other totals. */
export interface UsageEndpointTotalTable extends UsageTotalTable {
  endpoint: string
}

/** One row per tag of a set. */
export interface TagSetTable {
  account_id: string
  id: string
  tag: string
}

/** A single row. */
export interface RequestHorizonTable {
  one: Integer
  /** Requests that started before this may be deleted, and so may the hourly totals of that time. */
  dropped_before_ms: Integer
}

export interface TopupTable {
  id: string
  account_id: string
  key_id: string | null
  processor: string
  amount_pico: Integer
  idempotency_key: string | null
  session_id: string | null
  checkout_url: string | null
  expires_at_ms: NullableInteger
  payment_id: string | null
  /** 0 or 1. */
  expired: DefaultedInteger
  paid_pico: DefaultedInteger
  refunded_pico: DefaultedInteger
  disputed_pico: DefaultedInteger
  refunds_as_of_ms: DefaultedInteger
  created_at_ms: Integer
  paid_at_ms: NullableInteger
  /** JSON of `PaidBy`; null until it is paid. */
  paid_by: ColumnType<string | null, string | null | undefined, string | null>
  /** When the processor was last queried about it, and when it will be next. */
  asked_at_ms: Integer
  ask_at_ms: Integer
  /** `checkout`, `auto` or `link`. */
  origin: ColumnType<string, string | undefined, never>
  /** `no`, `wanted`, or `done` once the payment method is saved. */
  saves_method: ColumnType<string, string | undefined, string>
  /** The saved payment method that an `auto` top-up is charged to. */
  method_id: ColumnType<string | null, string | null | undefined, never>
  /** Why an `auto` top-up was not paid. */
  failure: ColumnType<string | null, string | null | undefined, string | null>
  /** Tax that was paid on top and is not credited. */
  tax_pico: DefaultedInteger
}

export interface IdempotencyClaimTable {
  /** SHA-256 of the caller, the path and the caller's idempotency key. */
  id: string
  fingerprint: string
  claimed_at_ms: Integer
  /** The node that handles the request, if known. */
  node_id: string | null
  /** Null, like the body, until the request is answered. */
  status: NullableInteger
  body: string | null
}

/** A device that has been given a code, as `DeviceRequest`. */
export interface DeviceRequestTable {
  device_code_hash: string
  user_code: string
  client: string
  address: string
  status: string
  created_at_ms: Integer
  expires_at_ms: Integer
  account_id: string | null
  key_id: string | null
}

/** A signed-in device, as `SignIn`. */
export interface SignInTable {
  id: string
  family_hash: string
  account_id: string
  key_id: string
  client: string
  address: string
  salt: string
  refresh_hash: string
  previous_refresh_hash: string | null
  refreshed_at_ms: Integer
  created_at_ms: Integer
  expires_at_ms: Integer
}

/** Access tokens of devices. */
export interface SignInTokenTable {
  token_hash: string
  sign_in_id: string
  key_id: string
  expires_at_ms: Integer
}

/** Answers that later requests may continue, as `SealedAnswer`. */
export interface MigrationTable {
  number: Integer
  name: string
  applied_at_ms: Integer
}
