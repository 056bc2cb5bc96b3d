import type { KeyFate, OrganizationInvitation } from '@turnpike/identity'
import type { EventType } from '@turnpike/notify'
import { raise } from '../events/raise.ts'
import type { Connection } from '../schema.ts'

/** A member as of now. Contains identifiers only, because names and addresses are personal data. */
export interface MemberFacts {
  organizationId: string
  memberId: string
  kind: string
  role: string
  /** How they became a member. */
  source: string
  /** `mem_…` of the acting member; null: an operator, the identity provider, or the member. */
  by: string | null
  /** For a changed role: the role before. */
  previousRole?: string
  /** For a member who leaves: what happens to their keys. */
  keysGo?: KeyFate
}

type MemberEvent = Extract<EventType, `member.${string}`>

/** Call this after all other statements of the transaction, as with `raise`. */
export async function raiseMemberEvent(
  transaction: Connection,
  type: MemberEvent,
  { organizationId, memberId, kind, role, source, by, previousRole, keysGo }: MemberFacts,
  nowMs: number,
): Promise<void> {
  await raise(transaction, {
    type,
    accountId: organizationId,
    dedupeKey: null,
    occurredAtMs: nowMs,
    data: {
      object: 'member',
      member_id: memberId,
      kind,
      role,
      source,
      by,
      ...(previousRole !== undefined && { previous_role: previousRole }),
      ...(keysGo !== undefined && { keys: keysGo }),
    },
  })
}

type InvitationEvent = Extract<EventType, `invitation.${string}`>
type InvitationFacts = Pick<
  OrganizationInvitation,
  'id' | 'organizationId' | 'role' | 'email' | 'createdBy' | 'expiresAtMs'
>

export async function raiseInvitationEvent(
  transaction: Connection,
  type: InvitationEvent,
  { id, organizationId, role, email, createdBy, expiresAtMs }: InvitationFacts,
  nowMs: number,
): Promise<void> {
  await raise(transaction, {
    type,
    accountId: organizationId,
    dedupeKey: null,
    occurredAtMs: nowMs,
    data: {
      object: 'organization_invitation',
      invitation_id: id,
      role,
      is_for_address: email !== null,
      created_by: createdBy,
      expires_at: Math.floor(expiresAtMs / 1000),
    },
  })
}
