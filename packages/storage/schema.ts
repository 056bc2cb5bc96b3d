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

/** The database, or a transaction on it. */
export type Connection = Kysely<Schema>

/** The tables as Kysely sees them; `migrations/` makes them. */
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
  /** In one spelling, so that one person is found under one address. */
  email: string | null
  subject: string | null
  status: string
  tier: string
  created_at_ms: Integer
  /** `person` or `organization`. */
  kind: ColumnType<string, string | undefined, never>
  /** 0 or 1: whether the identity provider, or an operator, vouches for the address. */
  email_verified: ColumnType<bigint, bigint | number | undefined, bigint | number>
  /** 0 or 1: marked as one who may administer the gateway with a user token. */
  operator: ColumnType<bigint, bigint | number | undefined, bigint | number>
  /** The name as the identity provider last told it. */
  claimed_name: ColumnType<string | null, string | null | undefined, string | null>
  baseline_model: ColumnType<string | null, string | null | undefined, string | null>
  /** 0 or 1: prompts and answers of its keys are kept, unless a key says otherwise. */
  log_prompts: DefaultedInteger
  /** For how many days; null: nobody has said. */
  log_days: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
  /** 0 or 1: whether a 402 of its keys has a link to a checkout; null: as its kind has it. */
  keys_may_top_up: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
  /** Grows with every change of one of its budgets; 0: it never had any. */
  budget_version: Generated<bigint>
  /** Grows with every change of one of its own vendor keys; 0: it never had any. */
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
  /** The key that has this one's name, limits and credit since it was rotated. */
  replaced_by: string | null
  /** When the grace of a rotated key ends. */
  revokes_at_ms: NullableInteger
  /** The key whose credit it uses; null: its own. */
  draws_on: ColumnType<string | null, string | null | undefined, string | null>
  /** The program that a sign-in made it for. */
  made_for: ColumnType<string | null, string | null | undefined, string | null>
  /** What the gateway itself made it for; null: its owner made it. */
  purpose: ColumnType<string | null, string | null | undefined, never>
  /** 0 or 1: whether its prompts and answers are kept; null: as its account has it. */
  log_prompts: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
  /** 0 or 1: whether its 402 has a link to a checkout; null: as its account has it. */
  may_top_up: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
}

export interface LedgerAccountTable {
  id: string
  kind: string
  account_id: string | null
  key_id: string | null
  /**
   * Null for the operator's own accounts: they would outgrow 64 bits, and be rows that every charge waits
   * for.
   */
  balance_pico: NullableInteger
  /** Sum of this key's leases; what is free is the balance less this. */
  leased_pico: Integer
  /** Grows with every change of the balance or of one of the leases. */
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
  /** For how long after its last heartbeat its leases are left alone. */
  lease_ms: DefaultedInteger
  /** How often its leases were taken from it, since its heartbeats had failed. */
  expiries: Generated<bigint>
  /** 0 or 1: it counts charges for budgets, as nodes do that know of them. */
  counts_budgets: DefaultedInteger
  /** 0 or 1: it sends requests by accounts' own vendor keys, as nodes do that know of them. */
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
  /** The key that paid, where that is another one. */
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
  /** Its tags as a set, as in `tag_sets`; '' without any. */
  tag_set: string
  outcome: string
  status: Integer
  error_type: string | null
  error_param: string | null
  /** JSON array of `AttemptRecord`. */
  attempts: string
  /** JSON array of paths; null: none, or not kept then. */
  dropped: string | null
  /** JSON of `Usage`. */
  usage: string | null
  tokens_in: Integer
  tokens_out: Integer
  price_version: string | null
  markup: string
  hold_pico: Integer
  charge_pico: Integer
  /** 0 or 1: its charge is a ledger entry by this row, and no transfer says so (`ledger/usage-entries.ts`). */
  is_entry: DefaultedInteger
  vendor_cost_pico: NullableInteger
  /** 0 or 1: an own key of its account answered. */
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
  /** '' here and in the next two: none. */
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
  /** Of the cost, that of requests whose vendor cost is known. */
  costed_high: DefaultedInteger
  costed_low: DefaultedInteger
}

export interface UsageTagTotalTable extends UsageTotalTable {
  tag_set: string
}

/** Of every endpoint but `chat.completions`, which is the rest of the other totals. */
export interface UsageEndpointTotalTable extends UsageTotalTable {
  endpoint: string
}

/** One row a tag of a set. */
export interface TagSetTable {
  account_id: string
  id: string
  tag: string
}

/** One row. */
export interface RequestHorizonTable {
  one: Integer
  /** Requests that began before may be gone, and with them the totals of those hours. */
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
  /** When the processor was last asked about it, and when it is to be. */
  asked_at_ms: Integer
  ask_at_ms: Integer
  /** `checkout`, `auto` or `link`. */
  origin: ColumnType<string, string | undefined, never>
  /** `no`, `wanted`, or `done` once what there was to save is saved. */
  saves_method: ColumnType<string, string | undefined, string>
  /** The saved payment method that an `auto` one is charged to. */
  method_id: ColumnType<string | null, string | null | undefined, never>
  /** Why an `auto` one was not paid. */
  failure: ColumnType<string | null, string | null | undefined, string | null>
  /** What was paid besides, and is not credited. */
  tax_pico: DefaultedInteger
}

export interface IdempotencyClaimTable {
  /** SHA-256 of the caller, the path and the caller's key. */
  id: string
  fingerprint: string
  claimed_at_ms: Integer
  /** Where it is known which node handles the request. */
  node_id: string | null
  /** Null, as is the body, while the request is not answered. */
  status: NullableInteger
  body: string | null
}

/** A device that has shown a code, as `DeviceRequest`. */
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

/** A device that is signed in, as `SignIn`. */
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

/** The access tokens of devices. */
export interface SignInTokenTable {
  token_hash: string
  sign_in_id: string
  key_id: string
  expires_at_ms: Integer
}

/** Answers that callers may go on from, as `SealedAnswer`. */
export interface MigrationTable {
  number: Integer
  name: string
  applied_at_ms: Integer
}
