/* What the embedded identity provider keeps; `packages/storage` implements it on both engines. */

/** A grant, session, code, token or interaction, as `oidc-provider` hands them over. */
export interface StateRecord {
  /** Name of its model, as in `RefreshToken`. */
  kind: string
  id: string
  payload: Record<string, unknown>
  uid: string | null
  userCode: string | null
  grantId: string | null
  /** Null: it never expires. */
  expiresAtMs: number | null
}

export interface FoundState {
  payload: Record<string, unknown>
  /** When it was used up; null while it may still be used. */
  consumedAtMs: number | null
}

/** Everything that a sign-in needs to remember between two requests. */
export interface ProviderStateStore {
  /** Writes the record in the place of the one of its kind and id. That it was consumed, stays. */
  write(record: StateRecord): Promise<void>
  /** Found beyond its expiry too, until it is removed: "expired" is another answer than "unknown". */
  find(kind: string, id: string): Promise<FoundState | undefined>
  findByUid(kind: string, uid: string): Promise<FoundState | undefined>
  findByUserCode(kind: string, userCode: string): Promise<FoundState | undefined>
  /** True for the one caller that used it up, however many try at once. */
  consume(kind: string, id: string, nowMs: number): Promise<boolean>
  remove(kind: string, id: string): Promise<void>
  removeOfGrant(kind: string, grantId: string): Promise<void>
  /** Removes what expired before then. */
  removeExpired(beforeMs: number): Promise<void>
}

/** Somebody who signs in here. */
export interface ProviderUser {
  /** `usr_…`: the subject of their tokens. */
  id: string
  /** In lower case; no two users have the same. */
  email: string
  /** Whether an operator vouched for the address, by an invitation that names it. */
  emailVerified: boolean
  name: string | null
  /** As `password.ts` writes it. */
  passwordHash: string
}

export interface ProviderUserStore {
  find(userId: string): Promise<ProviderUser | undefined>
  findByEmail(email: string): Promise<ProviderUser | undefined>
  /**
   * Makes a user and uses up the invitation in one transaction. An invitation that names the address of a
   * user who is there already gives that user the new password.
   * @param inviteHash undefined: without an invitation
   */
  create(
    user: Omit<ProviderUser, 'emailVerified'>,
    inviteHash: string | undefined,
    nowMs: number,
  ): Promise<{ user: ProviderUser } | { refused: 'email-taken' | 'invite-unknown' }>
  setPasswordHash(userId: string, passwordHash: string): Promise<void>
}

export interface Invite {
  /** `inv_…` */
  id: string
  /** The only address it is for, in lower case; null: for whoever has it. */
  email: string | null
  createdAtMs: number
  expiresAtMs: number
  usedAtMs: number | null
}

export interface InviteStore {
  create(invite: Omit<Invite, 'usedAtMs'>, codeHash: string): Promise<void>
  /** Newest first; used and expired ones included. */
  list(page: { limit: number; cursor?: string }): Promise<{ rows: Invite[]; nextCursor: string | null }>
  /** False where there is no such invitation, or it was used. */
  remove(inviteId: string): Promise<boolean>
}

/** A secret that all nodes share. The one with the highest number is in use, those before it are accepted. */
export interface ProviderSecret {
  purpose: 'signing' | 'cookies'
  number: number
  /** A private key as JSON Web Key, or a random text. */
  secret: string
  createdAtMs: number
}

export interface ProviderSecretStore {
  /** By purpose, newest first. */
  list(): Promise<ProviderSecret[]>
  /** False where another node has taken the number meanwhile. */
  add(secret: ProviderSecret): Promise<boolean>
}

export interface EmbeddedProviderStores {
  state: ProviderStateStore
  users: ProviderUserStore
  invites: InviteStore
  secrets: ProviderSecretStore
}
