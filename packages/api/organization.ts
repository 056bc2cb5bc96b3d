/** An organization as one of its members sees it. */
export interface Organization {
  /** Of its account: what `X-Turnpike-Org` names. */
  id: string
  name: string
  status: string
  role: string | null
  member_id: string | null
  created_at: number
}

export const organizationFields = ['id', 'name', 'status', 'role', 'member_id', 'created_at'] as const

export const organizationRoles = ['owner', 'admin', 'developer', 'billing', 'viewer'] as const
/** What becomes of the keys of a member who goes. */
export const keyFates = ['organization', 'revoked'] as const

export interface Member {
  id: string
  /** `person`, or `service`: without a login. */
  kind: string
  name: string | null
  email: string | null
  role: string
  status: string
  created_at: number
}

export const memberFields = ['id', 'kind', 'name', 'email', 'role', 'status', 'created_at'] as const

export interface RemovedMember extends Member {
  keys: string
  key_count: number
}

export const removedMemberFields = [...memberFields, 'keys', 'key_count'] as const

export interface CreatedInvitation {
  id: string
  role: string
  email: string | null
  expires_at: number
  /** The link to send, told once. */
  url: string
  /** Whether a mail server has taken it, for `email`. */
  mailed: boolean
}

export const createdInvitationFields = ['id', 'role', 'email', 'expires_at', 'url', 'mailed'] as const

export interface Project {
  id: string
  name: string
  created_at: number
  archived_at: number | null
}

export const projectFields = ['id', 'name', 'created_at', 'archived_at'] as const
