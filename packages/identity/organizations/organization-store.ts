import type { ToldRoles } from '../user-tokens/roles-claim.ts'
import type { Role } from './roles.ts'

/** An organization, as one of its members sees it in a list. */
export interface OrganizationOfPerson {
  /** `acct_…`: its account. */
  id: string
  name: string
  status: 'active' | 'suspended'
  role: Role
  memberId: string
  /** Nobody else who can sign in is an owner. */
  isOnlyOwner: boolean
  joinedAtMs: number
}

/** Who acts for an organization. */
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
  /** Of a person: the account. */
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

/** What becomes of the keys of a member who goes. */
export const keyFates = ['organization', 'revoked'] as const
export type KeyFate = (typeof keyFates)[number]

export interface OrganizationInvitation {
  /** `oin_…` */
  id: string
  organizationId: string
  /** Whose verified address it is for; null: whoever has the link. */
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

/** What the holder of an invitation's code is told before they accept. */
export interface InvitationPreview {
  organizationName: string
  role: Role
  /** It is for one address alone. */
  isForAddress: boolean
  expiresAtMs: number
}

/** Why an invitation cannot be accepted: the last two are its organization's state. */
export type InvitationEnd = 'used' | 'revoked' | 'expired' | 'closed' | 'suspended'

export type OrganizationRefusal =
  /** There is no such member, invitation or organization. */
  | 'unknown'
  /** Above the rank of who asked. */
  | 'above-rank'
  /** The last owner stays one. */
  | 'last-owner'
  /** It is not so any more: removed, used, revoked, expired. */
  | 'over'
  | 'too-many'
  /** Mails of invitations, a day. */
  | 'too-many-mails'
  /** Their keys are being handed over: it can be done again in a moment. */
  | 'leaving'
  | 'already-member'
  /** Told to who holds its code. */
  | `invitation-${InvitationEnd}`
  /** The invitation is for another verified address. */
  | 'other-address'
  /** A service account has no role but its own. */
  | 'service'

/** Nothing was changed. */
export class OrganizationRefused extends Error {
  override readonly name = 'OrganizationRefused'
  readonly refusal: OrganizationRefusal

  constructor(refusal: OrganizationRefusal) {
    super(`refused: ${refusal}`)
    this.refusal = refusal
  }
}

/** Who changes something; null: an operator, who stands above all ranks. */
export type Changer = ActingMember | null

interface Page {
  limit: number
  cursor?: string
}

export interface NewOrganization {
  name: string
  /** Its founder, and first owner. */
  personId: string
  tier: string
  /** Whose holders are mailed its events; none: nobody is, until somebody says so. */
  toldRoles: readonly ('owner' | 'admin' | 'billing')[]
}

/** Mails of invitations within 24 hours. */
export interface InvitationMailLimits {
  ofOrganization: number
  /** Over all organizations that this one invites to. */
  ofPerson: number
  /** Whoever invites it. */
  toAddress: number
}

/**
 * Organizations and who belongs to them. Every method of one has its identifier in each query, so
 * that another one's things are as if they did not exist. Changes are refused by `OrganizationRefused`.
 */
export interface OrganizationStore {
  /** With this person as its owner. @returns the identifier of its account */
  create(organization: NewOrganization & { mostOfPerson: number }, nowMs: number): Promise<string>
  /** Those that a person belongs to, oldest membership first; closed ones are left out. */
  ofPerson(personId: string): Promise<OrganizationOfPerson[]>
  /** Undefined: no active member of it, or it is closed, or there is none. */
  actingMember(organizationId: string, personId: string): Promise<ActingMember | undefined>
  /** Oldest first, without those who are gone. */
  members(organizationId: string, page: Page): Promise<{ rows: Member[]; nextCursor: string | null }>
  /** One who is gone is found. */
  member(organizationId: string, memberId: string): Promise<Member | undefined>
  addService(organizationId: string, service: { name: string; by: Changer }, nowMs: number): Promise<Member>
  changeMember(
    organizationId: string,
    memberId: string,
    changes: { role?: Role; name?: string; by: Changer },
    nowMs: number,
  ): Promise<Member>
  /**
   * From this call on nothing of theirs opens anything but, where their keys go to the organization, the raw
   * keys that they know: those are handed over behind it (`finishRemovals`).
   * @returns the keys that were theirs
   */
  removeMember(
    organizationId: string,
    memberId: string,
    removal: { keysGo: KeyFate; by: Changer | 'self' },
    nowMs: number,
  ): Promise<string[]>
  /**
   * Hands over the keys of members who are leaving. Any node may do it, at any time, and go on with what
   * another one has begun.
   * @param memberId of this one alone; by default of all
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
       * It is to be mailed to `email`, if that is not one mail too many, with a code of its own that is shown
       * to nobody else: who has that has the mailbox. Null: it is not.
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
  /** Again: the same. */
  revokeInvitation(
    organizationId: string,
    invitationId: string,
    by: Changer,
    nowMs: number,
  ): Promise<OrganizationInvitation>
  /** Says why where it is over; undefined: there never was one. */
  previewInvitation(codeHash: string, nowMs: number): Promise<InvitationPreview | InvitationEnd | undefined>
  /**
   * Has the person the roles that the identity provider tells, and ends those that it told before and tells
   * no more: their keys there go to the organization. Who was invited, or made the organization, stays what
   * they are; the last owner stays one. A token that is older than the last one changes nothing: it may still
   * tell what was taken away since. Two reads, where nothing is new.
   * @returns the organizations in which something changed
   */
  followClaims(personId: string, told: ToldRoles, nowMs: number): Promise<string[]>
  /**
   * By the code that was mailed, the person's address is verified where it is the one that it was mailed to
   * and they sign in at the embedded provider.
   * @returns the organization's account
   */
  acceptInvitation(codeHash: string, personId: string, nowMs: number): Promise<string>
}
