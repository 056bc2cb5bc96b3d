import {
  roles,
  type Account,
  type ActingMember,
  type Member,
  type OrganizationInvitation,
} from '@turnpike/identity'
import { Type, type Static } from 'typebox'
import { epochSeconds, epochSecondsOrNull, nullable, timestamp } from '../validation/fields.ts'

export const role = Type.Enum([...roles], {
  description:
    '`owner`: everything. `admin`: everything except payments, owners and closing. `developer`: their own ' +
    'keys and their usage. `billing`: credit, budgets, receipts. `viewer`: reads usage and keys.',
})

export const organizationSchema = Type.Object(
  {
    id: Type.String({ description: 'Account id, for `X-Turnpike-Org`.' }),
    object: Type.Literal('organization'),
    name: Type.String(),
    status: Type.Enum(['active', 'suspended', 'closed']),
    role: nullable(Type.Enum([...roles], { description: 'The caller’s. Null: an operator.' })),
    member_id: nullable(Type.String({ description: 'The caller’s. Null: an operator.' })),
    created_at: timestamp,
  },
  { title: 'Organization' },
)

export function organizationRecord(
  account: Pick<Account, 'id' | 'displayName' | 'status' | 'createdAtMs'>,
  member: ActingMember | null,
): Static<typeof organizationSchema> {
  return {
    id: account.id,
    object: 'organization',
    name: account.displayName ?? account.id,
    status: account.status,
    role: member?.role ?? null,
    member_id: member?.memberId ?? null,
    created_at: epochSeconds(account.createdAtMs),
  }
}

const memberFields = {
  id: Type.String(),
  object: Type.Literal('member'),
  kind: Type.Enum(['person', 'service'], { description: '`service`: a member without a login.' }),
  account_id: nullable(Type.String({ description: 'Account of the person. Null: a service account.' })),
  name: nullable(Type.String()),
  email: nullable(Type.String()),
  email_verified: Type.Boolean(),
  role: Type.Enum([...roles]),
  status: Type.Enum(['active', 'leaving', 'removed'], {
    description: '`leaving`: has no access any more; their keys are being handed over.',
  }),
  source: Type.Enum(['founder', 'invitation', 'claims', 'operator', 'admin'], {
    description: 'How they joined; `claims`: by roles from the identity provider.',
  }),
  created_at: timestamp,
  removed_at: nullable(timestamp),
}

export const memberSchema = Type.Object(memberFields, { title: 'Member' })

export const removedMemberSchema = Type.Object(
  {
    ...memberFields,
    keys: Type.Enum(['organization', 'revoked']),
    key_count: Type.Integer({
      description:
        'Number of their keys. Keys that went to the organization keep working for anyone with the secret. ' +
        'Rotate them to prevent that.',
    }),
  },
  { title: 'RemovedMember' },
)

/** @param showsAddresses whether the caller manages members; other callers see only the names of others */
export function memberRecord(member: Member, showsAddresses: boolean): Static<typeof memberSchema> {
  return {
    id: member.id,
    object: 'member',
    kind: member.kind,
    account_id: member.personId,
    name: member.name,
    email: showsAddresses ? member.email : null,
    email_verified: showsAddresses && member.emailVerified,
    role: member.role,
    status: member.status,
    source: member.source,
    created_at: epochSeconds(member.createdAtMs),
    removed_at: epochSecondsOrNull(member.removedAtMs),
  }
}

const invitationFields = {
  id: Type.String(),
  object: Type.Literal('organization_invitation'),
  role: Type.Enum([...roles]),
  email: nullable(
    Type.String({ description: 'The verified address it is for. Null: anyone with the link.' }),
  ),
  status: Type.Enum(['open', 'used', 'revoked', 'expired']),
  created_by: nullable(Type.String({ description: 'The member. Null: an operator.' })),
  created_at: timestamp,
  expires_at: timestamp,
  used_by: nullable(Type.String({ description: 'The member who joined with it.' })),
  used_at: nullable(timestamp),
}

export const invitationSchema = Type.Object(invitationFields, { title: 'OrganizationInvitation' })

export const createdInvitationSchema = Type.Object(
  {
    ...invitationFields,
    url: Type.String({
      description: 'The link, only in this response. Anyone with it can join, once.',
    }),
    mailed: Type.Boolean({
      description: 'Whether a mail server accepted the email with the link. Otherwise send it yourself.',
    }),
  },
  { title: 'CreatedOrganizationInvitation' },
)

export function invitationRecord(
  invitation: OrganizationInvitation,
  nowMs: number,
): Static<typeof invitationSchema> {
  return {
    id: invitation.id,
    object: 'organization_invitation',
    role: invitation.role,
    email: invitation.email,
    status: statusOf(invitation, nowMs),
    created_by: invitation.createdBy,
    created_at: epochSeconds(invitation.createdAtMs),
    expires_at: epochSeconds(invitation.expiresAtMs),
    used_by: invitation.usedBy,
    used_at: epochSecondsOrNull(invitation.usedAtMs),
  }
}

function statusOf(
  { usedAtMs, revokedAtMs, expiresAtMs }: OrganizationInvitation,
  nowMs: number,
): 'open' | 'used' | 'revoked' | 'expired' {
  if (usedAtMs !== null) return 'used'
  if (revokedAtMs !== null) return 'revoked'
  return expiresAtMs <= nowMs ? 'expired' : 'open'
}
