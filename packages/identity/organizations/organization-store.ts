import type { ToldRoles } from '../user-tokens/roles-claim.ts'
import type { Role } from './roles.ts'

/** An organization in the list of one of its members. */
export interface OrganizationOfPerson {
  /** `acct_…`: its account. */
  id: string
  name: string
  status: 'active' | 'suspended'
  role: Role
  memberId: string
  /** No other owner can sign in. */
  isOnlyOwner: boolean
  joinedAtMs: number
}

/** A member who acts for an organization. */
export interface ActingMember {
  memberId: string
  role: Role
}

export interface Member {
  /** `mem_…` */
  id: string
  organizationId: string
  /** A service account is a member without a login. */
  kind: 'person' | 'service'
  /** The account of a person; null for a service account. */
  personId: string | null
  name: string | null
  email: string | null
  emailVerified: boolean
  role: Role
  /** `leaving`: their keys are being handed over. */
  status: 'active' | 'leaving' | 'removed'
  source: MemberSource
  createdAtMs: number
  removedAtMs: number | null
}

export type MemberSource = 'founder' | 'invitation' | 'claims' | 'operator' | 'admin'

/** What happens to the keys of a member who is removed. */
export const keyFates = ['organization', 'revoked'] as const
export type KeyFate = (typeof keyFates)[number]

export interface OrganizationInvitation {
  /** `oin_…` */
  id: string
  organizationId: string
  /** The verified address that it is for; null: for anybody who has the link. */
  email: string | null
  role: Role
  /** `mem_…`; null: an operator. */
  createdBy: string | null
  createdAtMs: number
  expiresAtMs: number
  usedAtMs: number | null
  /** `mem_…` */
  usedBy: string | null
  revokedAtMs: number | null
}

/** What the holder of an invitation's code may see before accepting it. */
export interface InvitationPreview {
  organizationName: string
  role: Role
  /** It is for one address only. */
  isForAddress: boolean
  expiresAtMs: number
}

/** Why an invitation cannot be accepted; the last two are states of its organization. */
export type InvitationEnd = 'used' | 'revoked' | 'expired' | 'closed' | 'suspended'

export type OrganizationRefusal =
  /** There is no such member, invitation or organization. */
  | 'unknown'
  /** The role is above the rank of the member who asks. */
  | 'above-rank'
  /** The last owner must stay an owner. */
  | 'last-owner'
  /** The thing is over: removed, used, revoked or expired. */
  | 'over'
  | 'too-many'
  /** The daily limit of invitation mails is reached. */
  | 'too-many-mails'
  /** The member's keys are being handed over; it works again in a moment. */
  | 'leaving'
  | 'already-member'
  /** Only for the holder of the invitation's code. */
  | `invitation-${InvitationEnd}`
  /** The invitation is for another verified address. */
  | 'other-address'
  /** A service account's role cannot be changed. */
  | 'service'

/** Thrown when nothing was changed. */
export class OrganizationRefused extends Error {
  override readonly name = 'OrganizationRefused'
  readonly refusal: OrganizationRefusal

  constructor(refusal: OrganizationRefusal) {
    super(`refused: ${refusal}`)
    this.refusal = refusal
  }
}

/** The member who makes a change; null: an operator, who is above all ranks. */
export type Changer = ActingMember | null

interface Page {
  limit: number
  cursor?: string
}

export interface NewOrganization {
  name: string
  /** The person who creates it, and its first owner. */
  personId: string
  tier: string
  /** The roles whose members receive its events by mail at first; empty: nobody does. */
  toldRoles: readonly ('owner' | 'admin' | 'billing')[]
}

/** Invitation mails within 24 hours. */
export interface InvitationMailLimits {
  ofOrganization: number
  /** From all organizations that this person invites to. */
  ofPerson: number
  /** To this address, whoever invites it. */
  toAddress: number
}

/**
 * Organizations and their members. Every query includes the organization's identifier, so that other
 * organizations' things appear not to exist. Refused changes throw `OrganizationRefused`.
 */
export interface OrganizationStore {
  /** Creates an organization with this person as its owner. @returns the identifier of its account */
  create(organization: NewOrganization & { mostOfPerson: number }, nowMs: number): Promise<string>
  /** The organizations that a person belongs to, oldest membership first, without closed ones. */
  ofPerson(personId: string): Promise<OrganizationOfPerson[]>
  /** Undefined if the person is not an active member, or the organization is closed or does not exist. */
  actingMember(organizationId: string, personId: string): Promise<ActingMember | undefined>
  /** Oldest first, without removed members. */
  members(organizationId: string, page: Page): Promise<{ rows: Member[]; nextCursor: string | null }>
  /** Also finds removed members. */
  member(organizationId: string, memberId: string): Promise<Member | undefined>
  addService(organizationId: string, service: { name: string; by: Changer }, nowMs: number): Promise<Member>
  changeMember(
    organizationId: string,
    memberId: string,
    changes: { role?: Role; name?: string; by: Changer },
    nowMs: number,
  ): Promise<Member>
  /**
   * Removes a member. From this call on they have no access, with one exception: if their keys go to the
   * organization, the raw keys that they know still work until `finishRemovals` has handed them over.
   * @returns the keys that were theirs
   */
  removeMember(
    organizationId: string,
    memberId: string,
    removal: { keysGo: KeyFate; by: Changer | 'self' },
    nowMs: number,
  ): Promise<string[]>
  /**
   * Hands over the keys of members who are leaving. Any node may do it, at any time, and continue what
   * another node has begun.
   * @param memberId only this member's keys; by default all
   * @returns the keys that changed hands
   */
  finishRemovals(nowMs: number, memberId?: string): Promise<string[]>
  invite(
    invitation: {
      organizationId: string
      codeHash: string
      email: string | null
      role: Role
      by: Changer
      expiresAtMs: number
      mostOpen: number
      /**
       * Mails the invitation to `email`, within the limits, with a separate code that is shown to nobody
       * else: whoever has that code owns the mailbox. Null: not mailed.
       */
      mail: { codeHash: string; limits: InvitationMailLimits } | null
    },
    nowMs: number,
  ): Promise<OrganizationInvitation>
  /** Newest first. */
  invitations(
    organizationId: string,
    page: Page,
  ): Promise<{ rows: OrganizationInvitation[]; nextCursor: string | null }>
  /** Repeating it has no further effect. */
  revokeInvitation(
    organizationId: string,
    invitationId: string,
    by: Changer,
    nowMs: number,
  ): Promise<OrganizationInvitation>
  /** Returns why the invitation is over, if it is; undefined if there never was one. */
  previewInvitation(codeHash: string, nowMs: number): Promise<InvitationPreview | InvitationEnd | undefined>
  /**
   * Gives the person the roles that the identity provider reports. Ends the roles that it reported before and
   * no longer does; the person's keys there go to the organization. Memberships by invitation or by founding
   * the organization stay as they are, and the last owner stays. A token older than the last one changes
   * nothing, since it may report roles that were taken away since. Costs two reads if nothing is new.
   * @returns the organizations in which something changed
   */
  followClaims(personId: string, claimedRoles: ToldRoles, nowMs: number): Promise<string[]>
  /**
   * Accepts an invitation. A code that was mailed also verifies the person's address, if it was mailed to
   * that address and they sign in at the embedded provider.
   * @returns the organization's account
   */
  acceptInvitation(codeHash: string, personId: string, nowMs: number): Promise<string>
}
