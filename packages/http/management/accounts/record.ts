import { formatUsd } from '@turnpike/billing'
import {
  accountStatuses,
  permissions,
  permissionsOf,
  roles,
  type Account,
  type Acting,
  type Permission,
  type Role,
} from '@turnpike/identity'
import { Type, type TProperties } from 'typebox'
import { epochSeconds, nullable, timestamp, usd } from '../validation/fields.ts'

export const displayName = Type.String({ minLength: 1, maxLength: 100 })
export const email = Type.String({
  // RFC 5321 allows 254 characters. Beyond that, only sending mail shows whether an address is valid.
  maxLength: 254,
  // As in `isEmail`: no spaces, and no invisible characters.
  pattern: '^[^\\s@\\p{Cc}\\p{Cf}]+@[^\\s@\\p{Cc}\\p{Cf}]+$',
  'x-expected': 'an email address',
})

/** An account in responses. One more field, `<provider>_sub`, is named after the identity provider. */
export interface AccountRecord {
  id: string
  kind: Account['kind']
  display_name: string | null
  email: string | null
  email_verified: boolean
  balance_usd: string
  unassigned_usd: string
  status: Account['status']
  tier: string
  baseline_model: string | null
  log_prompts: boolean
  log_days: number | null
  keys_may_top_up: boolean
  operator: boolean
  playground_key_id: string | null
  created_at: number
}

export function subjectField(identityProvider: string): string {
  return `${identityProvider}_sub`
}

/** The account in `GET /api/v1/me`: includes what the caller may do for it. */
export interface MeRecord extends AccountRecord {
  role: Role
  member_id: string | null
  permissions: Permission[]
}

export function accountSchema(identityProvider: string) {
  return Type.Unsafe<AccountRecord>(Type.Object(accountFields(identityProvider), { title: 'Account' }))
}

export function meSchema(identityProvider: string) {
  return Type.Unsafe<MeRecord>(
    Type.Object(
      {
        ...accountFields(identityProvider),
        role: Type.Enum([...roles], {
          description: 'The caller’s role in the organization they act for; `owner` for their own account.',
        }),
        member_id: nullable(
          Type.String({
            description: 'The caller’s membership in that organization. Null: it is their own account.',
          }),
        ),
        permissions: Type.Array(Type.Enum([...permissions]), { description: 'What this role may do.' }),
      },
      { title: 'Me' },
    ),
  )
}

function accountFields(identityProvider: string): TProperties {
  return {
    id: Type.String(),
    kind: Type.Enum(['person', 'organization']),
    display_name: nullable(Type.String()),
    email: nullable(Type.String()),
    email_verified: Type.Boolean({
      description:
        'Whether the identity provider, or whoever provisioned the account, vouches for `email`. ' +
        'Otherwise the address is only what the user entered, and gives no rights.',
    }),
    [subjectField(identityProvider)]: nullable(Type.String()),
    balance_usd: usd,
    unassigned_usd: usd,
    status: Type.Enum([...accountStatuses]),
    tier: Type.String(),
    baseline_model: nullable(
      Type.String({
        description: "The model that auto-routing savings are compared with. Null: the gateway's choice.",
      }),
    ),
    log_prompts: Type.Boolean({
      description: 'Whether prompts and answers of its keys are stored, unless a key overrides it.',
    }),
    log_days: nullable(Type.Integer({ description: "For how many days. Null: the gateway's default." })),
    keys_may_top_up: Type.Boolean({
      description: 'Whether 402 errors of its keys include a payment link, unless a key overrides it.',
    }),
    operator: Type.Boolean({
      description:
        'Whether it may administer the gateway with its own token. On `/api/v1/me` for any reason, ' +
        'elsewhere because it was marked as an operator.',
    }),
    playground_key_id: nullable(
      Type.String({
        description:
          'In usage, the key used by the dashboard’s playground. It has no secret and is in no list. ' +
          'Null: the playground has not been used yet.',
      }),
    ),
    created_at: timestamp,
  }
}

export function accountRecord(account: Account, identityProvider: string): AccountRecord {
  const subject = { [subjectField(identityProvider)]: account.subject }
  return {
    id: account.id,
    kind: account.kind,
    display_name: account.displayName,
    email: account.email,
    email_verified: account.emailVerified,
    ...subject,
    balance_usd: formatUsd(account.balancePico),
    unassigned_usd: formatUsd(account.unassignedPico),
    status: account.status,
    tier: account.tier,
    baseline_model: account.baselineModel,
    log_prompts: account.logPrompts,
    log_days: account.logDays,
    keys_may_top_up: account.keysMayTopUp,
    operator: account.operator,
    playground_key_id: account.playgroundKeyId,
    created_at: epochSeconds(account.createdAtMs),
  }
}

export function meRecord(
  account: Account,
  { person, role, memberId }: Acting,
  identityProvider: string,
): MeRecord {
  // Only people can administer the gateway.
  const operator = memberId === null && person.operator
  return {
    ...accountRecord({ ...account, operator }, identityProvider),
    role,
    member_id: memberId,
    permissions: permissionsOf(role),
  }
}
