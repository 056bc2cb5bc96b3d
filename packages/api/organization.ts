import type { Schemas } from './schema.ts'

/** An organization as one of its members sees it. */
export type Organization = Schemas['Organization']

export const organizationFields = [
  'id',
  'name',
  'status',
  'role',
  'member_id',
  'created_at',
] as const satisfies readonly (keyof Organization)[]

export const organizationRoles = [
  'owner',
  'admin',
  'developer',
  'billing',
  'viewer',
] as const satisfies readonly Member['role'][]
/** What happens to a member's keys when the member leaves. */
export const keyFates = ['organization', 'revoked'] as const satisfies readonly RemovedMember['keys'][]

export type Member = Schemas['Member']

export const memberFields = [
  'id',
  'kind',
  'name',
  'email',
  'role',
  'status',
  'created_at',
] as const satisfies readonly (keyof Member)[]

export type RemovedMember = Schemas['RemovedMember']

export const removedMemberFields = [
  ...memberFields,
  'keys',
  'key_count',
] as const satisfies readonly (keyof RemovedMember)[]

export type CreatedInvitation = Schemas['CreatedOrganizationInvitation']

export const createdInvitationFields = [
  'id',
  'role',
  'email',
  'expires_at',
  'url',
  'mailed',
] as const satisfies readonly (keyof CreatedInvitation)[]

export type Project = Schemas['Project']

export const projectFields = [
  'id',
  'name',
  'created_at',
  'archived_at',
] as const satisfies readonly (keyof Project)[]
