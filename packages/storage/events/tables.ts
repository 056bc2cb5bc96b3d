import type { ColumnType, Selectable } from 'kysely'
import type { DefaultedInteger, Integer, NullableInteger } from '../column-types.ts'

/** The tables of `migrations/029-events.ts` as Kysely sees them, with the additions of `032`. */
export interface EventTables {
  events: EventTable
  event_targets: EventTargetTable
  event_deliveries: EventDeliveryTable
  delivery_attempts: DeliveryAttemptTable
  alert_rules: AlertRuleTable
}

interface EventTable {
  id: string
  /** Null: the operator's. */
  account_id: string | null
  type: string
  dedupe_key: string | null
  occurred_at_ms: Integer
  /** JSON. */
  data: string
}

interface EventTargetTable {
  id: string
  account_id: string | null
  kind: string
  name: string
  url: string | null
  /** For mail to one member. `*`: for all with one of `roles`, through targets with this parent. */
  member_id: string | null
  /** JSON. */
  roles: string | null
  parent_id: string | null
  /** The code in the links of its mails. */
  unsubscribe_code: string | null
  email: string | null
  /** JSON: the subscribed types, or `["*"]`. */
  types: string
  /** `whsec_…`, or its sealed form. */
  secret: string | null
  previous_secret: string | null
  previous_until_ms: NullableInteger
  status: string
  disabled_reason: string | null
  /** SHA-256 of the code that confirms the address. */
  confirm_hash: string | null
  confirm_sent_ms: NullableInteger
  failures_in_row: DefaultedInteger
  failing_since_ms: NullableInteger
  created_at_ms: Integer
  updated_at_ms: Integer
}

interface EventDeliveryTable {
  id: string
  account_id: string | null
  event_id: string
  target_id: string
  state: string
  attempts: DefaultedInteger
  tries: DefaultedInteger
  next_at_ms: Integer
  claimed_by: ColumnType<string | null, string | null | undefined, string | null>
  claim_until_ms: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
  deadline_ms: Integer
  delivered_at_ms: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
}

interface DeliveryAttemptTable {
  delivery_id: string
  number: Integer
  at_ms: Integer
  node_id: string
  status: NullableInteger
  duration_ms: Integer
  error: string | null
  answer_start: string | null
}

export type AlertRow = Selectable<AlertRuleTable>

interface AlertRuleTable {
  account_id: string
  kind: string
  enabled: Integer
  threshold_pico: NullableInteger
  days: NullableInteger
  state: string
  episode: DefaultedInteger
  next_check_ms: Integer
  updated_at_ms: Integer
}
