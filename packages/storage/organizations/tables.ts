import type { ColumnType } from 'kysely'
import type { DefaultedInteger, Integer, NullableInteger } from '../column-types.ts'

/** The tables of `migrations/027-organizations.ts` and `031-claim-order.ts` as Kysely sees them. */
export interface OrganizationTables {
  organizations: OrganizationTable
  memberships: MembershipTable
  org_invitations: OrganizationInvitationTable
  projects: ProjectTable
  claim_tokens: ClaimTokenTable
}

interface OrganizationTable {
  account_id: string
  created_by: string
  created_at_ms: Integer
}

export interface MembershipTable {
  id: string
  organization_id: string
  kind: string
  /** Null for a service account. */
  person_id: string | null
  /** The name of a service account. */
  name: string | null
  role: string
  status: string
  /** What happens to the keys of a member who leaves. */
  keys_go: ColumnType<string | null, string | null | undefined, string | null>
  source: string
  invited_by: string | null
  created_at_ms: Integer
  removed_at_ms: NullableInteger
}

export interface OrganizationInvitationTable {
  id: string
  organization_id: string
  /** SHA-256 of the code. */
  code_hash: string
  /** SHA-256 of the code that only the mail contains; null: no mail was sent. */
  mail_code_hash: ColumnType<string | null, string | null | undefined, never>
  /** The verified address it is for; null: anybody who has the link. */
  email: string | null
  role: string
  created_by: string | null
  /** 0 or 1: its link was to be mailed. */
  mailed: DefaultedInteger
  created_at_ms: Integer
  expires_at_ms: Integer
  used_at_ms: NullableInteger
  used_by: string | null
  revoked_at_ms: NullableInteger
}

export interface ProjectTable {
  id: string
  account_id: string
  name: string
  created_at_ms: Integer
  archived_at_ms: NullableInteger
}

interface ClaimTokenTable {
  person_id: string
  /** Unix epoch seconds. */
  issued_at_s: Integer
}

/** Columns added to `api_keys`. */
export interface KeyOwnerColumns {
  /** The owning member; null: the organization itself. Never changes, nor does the project. */
  member_id: ColumnType<string | null, string | null | undefined, never>
  project_id: ColumnType<string | null, string | null | undefined, never>
  /** 0 or 1: the secrets of the rows that it replaced stand for it permanently. */
  handed_over: ColumnType<bigint, bigint | number | undefined, bigint | number>
}
